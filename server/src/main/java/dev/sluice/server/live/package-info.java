/**
 * What happens, as it happens. {@link dev.sluice.server.live.LiveFeed} holds the latest events and reads older ones from an
 * {@link dev.sluice.server.live.EventSource}; {@link dev.sluice.server.live.EventStreams} opens streams of them, only so many at a time, and an
 * {@code EventStream} writes one. Nobody who reads slowly is waited for: each reader has a position, and the feed knows nothing of readers.
 *
 * <p>{@link dev.sluice.server.live.LiveSnapshots} takes all that the scheduler knows at one instant, without holding it up.
 */
package dev.sluice.server.live;
