package dev.sluice.kubernetes.execution;

import dev.sluice.core.command.Command;
import java.util.List;

/**
 * The difference between allocated tasks and their pods.
 *
 * @param reports what happened to runs, in order
 * @param requests what pods lack, to be sent when the reports are durable
 */
public record RunComparison(List<Command> reports, List<PodRequest> requests) {

    /** Copies the lists. */
    public RunComparison {
        reports = List.copyOf(reports);
        requests = List.copyOf(requests);
    }
}
