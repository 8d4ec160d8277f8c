package dev.sluice.simulator.simulation;

import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.TaskGroup;
import java.util.ArrayList;
import java.util.List;

/** An application that has not ended, with the state that only the simulation knows. */
final class LiveApplication {

    final Partition partition;
    final Application application;
    final long submittedMillis;
    private final List<LiveGroup> groups = new ArrayList<>(1);

    LiveApplication(Partition partition, Application application, long submittedMillis) {
        this.partition = partition;
        this.application = application;
        this.submittedMillis = submittedMillis;
    }

    void add(LiveGroup group) {
        groups.add(group);
    }

    List<LiveGroup> groups() {
        return groups;
    }

    /** Returns the tasks of this specification. */
    LiveGroup group(String name) {
        if (groups.size() == 1) {
            return groups.get(0);
        }
        TaskGroup group = application.group(name);
        if (group == null) {
            throw new IllegalStateException(application.id() + " has no task group " + name);
        }
        return groups.get(group.index());
    }
}
