/**
 * The daemon: REST, live events, metrics, and the journal in SQL.
 *
 * <p>{@link dev.sluice.server.Daemon} makes all parts and ends them in order: it has the journal replayed, takes up the tasks that still run,
 * starts the loop, then listens. {@link dev.sluice.server.DaemonSettings} says how. What is answered over HTTP is put together by
 * {@code WebInterface} from the routes of {@link dev.sluice.server.routes}; {@code HealthMonitor} knows how the server is.
 */
package dev.sluice.server;
