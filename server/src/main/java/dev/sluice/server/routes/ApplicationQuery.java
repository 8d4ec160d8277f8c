package dev.sluice.server.routes;

import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.runtime.host.IncrementalQuery;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.server.api.ApplicationView;
import dev.sluice.server.api.TaskGroupView;
import dev.sluice.server.view.Views;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One application with its task groups; empty if the scheduler does not know it. */
final class ApplicationQuery implements IncrementalQuery<Optional<ApplicationView>> {

    private final String partitionName;
    private final String id;
    private final List<Supplier<TaskGroupView>> groups = new ArrayList<>();
    private @Nullable Application application;
    private @Nullable ApplicationView view;

    ApplicationQuery(String partitionName, String id) {
        this.partitionName = partitionName;
        this.id = id;
    }

    @Override
    public boolean step(TransactionContext context, StepBudget budget) {
        Partition partition = context.state().partition(partitionName);
        Application known = application;
        if (known == null) {
            known = partition == null ? null : partition.application(id);
            application = known;
        }
        if (partition == null || known == null) {
            return true;
        }
        List<TaskGroup> all = known.groups();
        while (groups.size() < Math.min(all.size(), Views.GROUPS_MAX)) {
            if (!budget.take()) {
                return false;
            }
            groups.add(Views.laterGroup(all.get(groups.size())));
        }
        view = Views.application(partition, known, null);
        return true;
    }

    @Override
    public Optional<ApplicationView> answer() {
        ApplicationView known = view;
        return known == null
                ? Optional.empty()
                : Optional.of(known.withGroupsOfTasks(
                        groups.stream().map(Supplier::get).toList()));
    }
}
