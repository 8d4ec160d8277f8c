package dev.sluice.server.view;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.explain.Explainer;
import dev.sluice.core.explain.WaitReason;
import dev.sluice.core.explain.Waiting;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.state.TaskPosition;
import dev.sluice.server.api.WaitView;
import dev.sluice.server.api.WhyView;
import java.util.ArrayList;
import java.util.List;

/** Says why things wait. */
public final class Reasons {

    /** How many names of tasks stand with one reason. */
    private static final int NAMES_MAX = 20;

    private Reasons() {}

    /** Why the tasks of this application wait. */
    public static WhyView of(Partition partition, Application application) {
        List<WaitView> reasons = new ArrayList<>();
        if (application.unplaced() + application.leaving() > 0) {
            for (Waiting waiting : new Explainer(partition).explain(application)) {
                List<String> names = waiting.groups().stream()
                        .limit(NAMES_MAX)
                        .map(TaskGroup::name)
                        .toList();
                reasons.add(new WaitView(
                        waiting.tasks(),
                        names,
                        waiting.reason().code(),
                        waiting.reason().detail()));
            }
        }
        return new WhyView(application.id(), null, application.state().word(), summary(application, reasons), reasons);
    }

    private static String summary(Application application, List<WaitView> reasons) {
        if (application.state().isEnded()) {
            String reason = application.stateReason();
            return "it is " + application.state().word() + (reason.isEmpty() ? "" : ": " + reason);
        }
        long waiting = application.unplaced() + application.leaving();
        if (waiting == 0) {
            return application.placed() > 0
                    ? "nothing waits: all that is left holds a place"
                    : application.isSealed() || application.state() == ApplicationState.COMPLETING
                            ? "nothing waits: all of its tasks have ended"
                            : "it has no task that waits; it is open for more";
        }
        return count(waiting)
                + (waiting == 1 ? " waits" : " wait")
                + (reasons.size() == 1 ? ": " + reasons.get(0).detail() : ", for " + reasons.size() + " reasons");
    }

    private static String count(long tasks) {
        return tasks == 1 ? "1 task" : tasks + " tasks";
    }

    /** Why this task waits, or what it does instead. */
    public static WhyView of(Partition partition, TaskPosition position, String id) {
        TaskGroup group = position.group();
        Task task = group.placed(position.index());
        String application = group.application().id();
        if (task != null) {
            return new WhyView(application, id, task.state().word(), standing(task), List.of());
        }
        if (!group.isUnplaced(position.index())) {
            return new WhyView(application, id, "ended", "it has ended", List.of());
        }
        WaitReason reason = new Explainer(partition).explain(group);
        TaskState state = group.isWaiting() ? TaskState.WAITING : TaskState.PENDING;
        return new WhyView(
                application,
                id,
                state.word(),
                reason.detail(),
                List.of(new WaitView(1, List.of(id), reason.code(), reason.detail())));
    }

    private static String standing(Task task) {
        String node = task.node().name();
        return switch (task.state()) {
            case HELD -> "it has a place on " + node + ", and starts there when those have left that make way for it";
            case STARTING -> "it was given a place on " + node + ", and has not been reported as started yet";
            case STOPPING -> "it was told to stop, on " + node;
            case LEAVING -> "it makes way for others on " + node + ", and will be placed again when it has ended";
            default -> "it runs on " + node;
        };
    }
}
