/**
 * Live events and snapshots. {@link dev.sluice.server.live.LiveFeed} keeps the latest events and reads older ones from
 * an {@link dev.sluice.server.live.EventSource}; {@link dev.sluice.server.live.EventStreams} opens a limited number of
 * streams, of which an {@code EventStream}, a {@code LineStream} or a {@code ChangeStream} writes one. The feed keeps no
 * per-reader state and never waits for a slow reader: each reader has its own position.
 *
 * <p>{@link dev.sluice.server.live.LiveSnapshots} takes snapshots of the scheduler without blocking it.
 */
package dev.sluice.server.live;
