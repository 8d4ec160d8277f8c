package dev.sluice.server.routes;

import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.server.api.PlanDocument;
import dev.sluice.server.api.PlanView;
import dev.sluice.server.live.LiveSnapshots;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Routes that show what the next cycle would do after a change, without making it. */
public final class PlanRoutes {

    private static final int NODES_MAX = 10_000;

    private final Requests requests;
    private final LiveSnapshots snapshots;

    /** Creates the routes; plans are made from these snapshots. */
    public PlanRoutes(Requests requests, LiveSnapshots snapshots) {
        this.requests = requests;
        this.snapshots = snapshots;
    }

    public List<Route> routes() {
        return List.of(
                Route.post("/configuration/plan")
                        .named("planConfiguration", "configuration")
                        .action("planning a configuration")
                        .role(Role.OPERATOR)
                        .summary("Shows what the next cycle would start and preempt with a configuration, without"
                                + " applying it.")
                        .documentBody(null, "A queues.yaml.")
                        .response(200, PlanView.class, "The plan.")
                        .problems(ProblemKind.INVALID, ProblemKind.CONFLICT, ProblemKind.TOO_MUCH)
                        .handledBy(this::configuration),
                Route.post("/partitions/{partition}/plan")
                        .named("planPartition", "nodes")
                        .action("planning a partition")
                        .role(Role.OPERATOR)
                        .summary(
                                "Shows what the next cycle would do without some of the nodes, whose tasks would have to run"
                                        + " elsewhere.")
                        .jsonBody(PlanDocument.class, "The nodes.")
                        .response(200, PlanView.class, "The plan.")
                        .problems(ProblemKind.NOT_FOUND, ProblemKind.INVALID)
                        .handledBy(this::partition));
    }

    private ApiResponse configuration(Call call) {
        List<PartitionConfiguration> partitions =
                ConfigurationRoutes.read(call.text()).value();
        return plan(call, List.of(new Command.ApplyConfiguration(partitions)));
    }

    private ApiResponse partition(Call call) {
        String partition = call.path("partition");
        Set<String> nodes = new LinkedHashSet<>(call.body(PlanDocument.class).without());
        if (nodes.isEmpty() || nodes.size() > NODES_MAX) {
            throw ProblemException.of(
                    ProblemKind.INVALID, "without must have 1 to " + NODES_MAX + " nodes, not " + nodes.size());
        }
        return plan(
                call,
                nodes.stream()
                        .<Command>map(node -> new Command.RemoveNode(partition, node))
                        .toList());
    }

    private ApiResponse plan(Call call, List<Command> changes) {
        try (LiveSnapshots.SnapshotCapture capture = SnapshotRoutes.begin(snapshots)) {
            PlanView plan = PlanComparison.of(requests.query(call, capture), changes);
            return ApiResponse.ok(plan);
        }
    }
}
