/**
 * The inputs of the scheduler and their results.
 *
 * <p>A {@link dev.sluice.core.command.Command} is a request or a status report. The
 * {@link dev.sluice.core.command.CommandResult} contains the events that it caused, or a
 * {@link dev.sluice.core.command.Refusal} with a reason; a refused command changes nothing.
 */
package dev.sluice.core.command;
