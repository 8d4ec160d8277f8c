package dev.sluice.server.routes;

import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Route;
import java.util.ArrayList;
import java.util.List;

/** Says which routes a caller may call for an application, by the rules that the routes apply themselves. */
public final class PermittedActions {

    private final Requests requests;

    public PermittedActions(Requests requests) {
        this.requests = requests;
    }

    /** Returns the names of the permitted routes; none if the scheduler does not know the application any more. */
    public List<String> of(Call call, String partitionName, String id, List<Route> routes) {
        return requests.read(call, context -> {
            List<String> permitted = new ArrayList<>();
            Partition partition = context.state().partition(partitionName);
            Application application = partition == null ? null : partition.application(id);
            if (partition != null && application != null) {
                for (Route route : routes) {
                    if (call.caller().role().includes(route.role())
                            && Permissions.permits(call.caller(), route, partition, application)) {
                        permitted.add(route.name());
                    }
                }
            }
            return permitted;
        });
    }
}
