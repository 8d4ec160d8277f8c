package dev.sluice.core.testing;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.state.Allocation;
import dev.sluice.core.state.ApplicationOrigin;
import java.time.Instant;

/** References by id, for tests: {@code t-3} is the fourth task of {@code t}, any other id a single task. */
public final class TaskRefs {

    private TaskRefs() {}

    public static TaskRef task(String partition, String application, String id) {
        int dash = id.lastIndexOf('-');
        int index = dash < 1 ? -1 : TaskRef.parseIndex(id.substring(dash + 1));
        return index < 0
                ? new TaskRef(partition, application, id, TaskRef.SINGLE)
                : new TaskRef(partition, application, id.substring(0, dash), index);
    }

    public static RunRef run(String partition, String application, String id, int attempt) {
        return new RunRef(task(partition, application, id), attempt);
    }

    /** Returns the first run of a task, allocated at this instant; whose it is is unknown. */
    public static Allocation allocation(String partition, String application, String id, String node, Instant placed) {
        return new Allocation(run(partition, application, id, 1), node, ApplicationOrigin.UNKNOWN, placed, null);
    }
}
