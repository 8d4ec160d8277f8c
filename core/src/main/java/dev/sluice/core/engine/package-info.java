/**
 * The engine: decides, and says what it decided as events.
 *
 * <p>{@link dev.sluice.core.engine.Scheduler} is the whole of it from outside. Commands are checked and carried out by
 * {@code CommandHandler}, {@code SubmissionHandler} and {@code ClusterHandler}, with {@code TaskValidator} for tasks that are added; {@code Cycle} is one pass over
 * a partition, on one screen; {@code Expiry} does what is due; {@code Lifecycle} is what follows for an application from what
 * happens to its tasks, and {@code NodeLifecycle} what follows from what is heard of a node.
 *
 * <p>Every decision reads the state and emits events; the {@code Emitter} applies each at once, so the next decision sees it.
 */
package dev.sluice.core.engine;
