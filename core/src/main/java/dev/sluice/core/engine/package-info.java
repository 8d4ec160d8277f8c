/**
 * The decision engine. It decides and returns its decisions as events; it has no clock, no random source and no I/O.
 *
 * <p>Start reading at {@link dev.sluice.core.engine.Scheduler}, the entry point, and {@code Cycle}, one pass of the
 * scheduler over a partition on one screen. The orders that a cycle walks along are in
 * {@link dev.sluice.core.schedule}.
 *
 * <ul>
 * <li>{@code CommandHandler} looks up what a command names. The handlers of its subject validate and apply it:
 *     {@code ConfigurationHandler} (all partitions), {@code SettingsHandler} (single settings), {@code NodeHandler},
 *     {@code SubmissionHandler} (new applications), {@code ApplicationHandler} (existing ones) and
 *     {@code TaskReportHandler}.
 * <li>{@code TaskValidator}, {@code NameValidator} and {@link dev.sluice.core.engine.ConfigurationValidator} check the
 *     input.
 * <li>{@code Lifecycle} derives the next state of an application from its tasks, {@code NodeLifecycle} the next health
 *     of a node.
 * <li>{@code Expiry} handles expired timers.
 * </ul>
 *
 * <p>Every decision reads the {@linkplain dev.sluice.core.state state} and emits events. The {@code Emitter} applies
 * each event at once, so the next decision sees it. Nothing else changes the state.
 */
package dev.sluice.core.engine;
