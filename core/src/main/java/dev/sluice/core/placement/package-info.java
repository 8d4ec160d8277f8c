/**
 * Which queue takes an application.
 *
 * <p>{@link dev.sluice.core.placement.QueuePlacement} walks the placement rules of a partition, as YuniKorn defines them:
 * {@code provided}, {@code user}, {@code fixed} and {@code tag}, each with a filter, a parent rule, and leave to make the queue.
 * {@link dev.sluice.core.placement.NameSearch} bounds what the regular expressions of filters may cost.
 */
package dev.sluice.core.placement;
