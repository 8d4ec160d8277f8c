/**
 * Applications and tasks as words and values: what is submitted, and the states that it goes through.
 *
 * <p>{@link dev.sluice.core.application.ApplicationSpec} and {@link dev.sluice.core.application.TaskSpec} are what somebody
 * submits, and {@link dev.sluice.core.application.TaskKind} is a specification without its name; {@link dev.sluice.core.application.ApplicationState} holds the one transition table. What the scheduler knows of
 * an application that lives is in {@code dev.sluice.core.state}.
 */
package dev.sluice.core.application;
