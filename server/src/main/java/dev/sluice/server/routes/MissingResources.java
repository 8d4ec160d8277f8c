package dev.sluice.server.routes;

import dev.sluice.config.snapshot.RequestedType;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.server.route.ProblemDetails;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.util.ArrayList;
import java.util.List;

/** Warnings about requested resources that no node has, in partitions that have nodes. */
final class MissingResources {

    private MissingResources() {}

    /**
     * Returns these warnings and those about resources that no node has: a type, or as much of it as a task requests.
     *
     * @param strict whether warnings are errors
     * @param outcome what an error says that was not done
     * @throws ProblemException if there is a warning and {@code strict}
     */
    static List<ProblemDetails.Location> addTo(
            List<ProblemDetails.Location> warnings,
            SchedulerState state,
            List<RequestedType> requested,
            boolean strict,
            String outcome) {
        List<ProblemDetails.Location> all = new ArrayList<>(warnings);
        for (RequestedType each : requested) {
            Partition partition = state.partition(each.partition());
            if (partition != null && !partition.nodes().isEmpty()) {
                addTo(all, partition, each);
            }
        }
        if (strict && !all.isEmpty()) {
            throw ProblemException.at(
                    ProblemKind.INVALID,
                    outcome + " because of warnings (strict): " + all.get(0).message(),
                    all);
        }
        return all;
    }

    private static void addTo(List<ProblemDetails.Location> all, Partition partition, RequestedType requested) {
        int type = partition.types().find(requested.type());
        long largest = 0;
        if (type >= 0) {
            for (Node node : partition.nodes()) {
                largest = Math.max(largest, node.capacity(type));
                if (largest >= requested.amount().value()) {
                    return; // usually the first node
                }
            }
        }
        Resources registered = partition.types().resources(partition::registered);
        String message = registered.names(requested.type())
                ? requested.tooLargeMessage(new Amount(largest))
                : requested.message(registered.amounts().keySet());
        all.add(new ProblemDetails.Location(requested.line(), requested.column(), requested.path(), message));
    }
}
