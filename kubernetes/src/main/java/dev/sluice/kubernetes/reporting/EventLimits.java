package dev.sluice.kubernetes.reporting;

import java.time.Duration;

/**
 * How many events are created.
 *
 * @param perSecond the average number of requests per second; as many may follow each other at once
 * @param waitingMax the maximum number of events that wait for their request; further ones are dropped
 * @param perObjectPerSecond the average number of new events of one object per second
 * @param perObjectBurst the maximum number of new events of one object at once
 * @param rememberedMax the maximum number of events, and of objects, that are remembered
 * @param seriesInterval the minimum time between two requests for a repeated event
 * @param seriesEnd the time without a repetition after which an event is created again
 */
public record EventLimits(
        double perSecond,
        int waitingMax,
        double perObjectPerSecond,
        int perObjectBurst,
        int rememberedMax,
        Duration seriesInterval,
        Duration seriesEnd) {

    /** Those of Kubernetes' own components, where they have such a limit. */
    public static final EventLimits DEFAULT =
            new EventLimits(50, 10_000, 1.0 / 300, 25, 20_000, Duration.ofMinutes(1), Duration.ofMinutes(6));
}
