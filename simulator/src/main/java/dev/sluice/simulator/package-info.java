/**
 * Tries a configuration on work as it was or might be: the engine runs unchanged, in virtual time.
 *
 * <p>{@code workload} tells what is submitted and when; {@code simulation} runs the engine on it; {@code measure} watches what the engine
 * decides and sums it up; {@code figures} is what comes of it, plain data; {@code report} shows it.
 */
package dev.sluice.simulator;
