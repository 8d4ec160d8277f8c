/**
 * What goes into the scheduler and what comes back.
 *
 * <p>A {@link dev.sluice.core.command.Command} is a wish or a report. The {@link dev.sluice.core.command.CommandResult} holds the events
 * that it caused, or a {@link dev.sluice.core.command.Refusal} with a reason; a command that was refused has changed nothing.
 */
package dev.sluice.core.command;
