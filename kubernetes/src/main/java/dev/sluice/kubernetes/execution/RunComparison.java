package dev.sluice.kubernetes.execution;

import dev.sluice.core.command.Command;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The difference between allocated tasks and their pods.
 *
 * @param reports what happened to runs, in order
 * @param requests what pods lack, to be sent when the reports are durable
 * @param expiries applications with places in gangs that no pod has taken, and when the first of them expires
 */
public record RunComparison(List<Command> reports, List<PodRequest> requests, Map<String, Instant> expiries) {

    /** Copies the lists. */
    public RunComparison {
        reports = List.copyOf(reports);
        requests = List.copyOf(requests);
        expiries = Map.copyOf(expiries);
    }
}
