package dev.sluice.simulator.workload;

import dev.sluice.config.field.DurationText;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import java.util.List;
import java.util.Map;

/**
 * A workload whose applications are gangs: a job of n processors is a gang of n tasks with one core each, and an
 * application with several alike tasks is a gang of all of them. Gangs never time out.
 *
 * <p>Applications with more than one specification or a gang of their own, and those that are too large for a gang, are
 * unchanged.
 */
public final class GangWorkload {

    private static final long CORE = 1000;

    private GangWorkload() {}

    /** Returns the workload with gangs. */
    public static Workload of(Workload workload) {
        return new TransformedWorkload(workload, () -> arrival -> arrival.with(ganged(arrival.application())));
    }

    /** Returns the application as a gang, or unchanged. */
    static ApplicationSpec ganged(ApplicationSpec application) {
        if (application.tasks().size() != 1 || application.gang() != null) {
            return application;
        }
        TaskSpec task = application.tasks().get(0);
        TaskSpec members = task.size() > 1 ? task : perCore(task);
        return members.size() == 1 || members.size() > Gang.MEMBERS_MAX
                ? application
                : application
                        .withTasks(List.of(members))
                        .withGang(
                                Gang.of(Map.of(members.name(), members.size())).withTimeout(DurationText.DURATION_MAX));
    }

    /** Returns one task for each core, if the task requests whole cores and nothing else; otherwise the task. */
    private static TaskSpec perCore(TaskSpec task) {
        long cores = task.resources().amount(ResourceTypes.VCORE).value();
        boolean whole = task.resources().amounts().size() == 1 && cores > CORE && cores % CORE == 0;
        return whole && cores / CORE <= Gang.MEMBERS_MAX
                ? task.withCount((int) (cores / CORE)).withResources(Resources.of(ResourceTypes.VCORE, CORE))
                : task;
    }
}
