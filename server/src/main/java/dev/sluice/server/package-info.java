/**
 * The server: REST API, live events, metrics, and the journal in SQL.
 *
 * <p>{@link dev.sluice.server.Daemon} creates and stops the components in order: it replays the journal, adopts running
 * tasks, starts the loop, then listens. {@link dev.sluice.server.DaemonSettings} configures it. {@code WebInterface}
 * assembles the HTTP interface from the routes of {@link dev.sluice.server.routes}; {@code HealthMonitor} tracks the
 * server's health.
 */
package dev.sluice.server;
