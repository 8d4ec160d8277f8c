/**
 * Applications and tasks as values: specifications and states.
 *
 * <p>{@link dev.sluice.core.application.ApplicationSpec} and {@link dev.sluice.core.application.TaskSpec} describe a
 * submission; {@link dev.sluice.core.application.TaskKind} is a task specification without its name.
 * {@link dev.sluice.core.application.ApplicationState} defines the only transition table. What the scheduler knows
 * about a submitted application is in {@code dev.sluice.core.state}.
 */
package dev.sluice.core.application;
