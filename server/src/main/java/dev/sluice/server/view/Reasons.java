package dev.sluice.server.view;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.explain.AllocationText;
import dev.sluice.core.explain.Explainer;
import dev.sluice.core.explain.PendingSummary;
import dev.sluice.core.explain.PreemptionObstacle;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.explain.WaitReason;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.runtime.host.RunObstacles.Obstacle;
import dev.sluice.server.api.AwaitedReservationView;
import dev.sluice.server.api.IncompleteGangView;
import dev.sluice.server.api.PreemptionView;
import dev.sluice.server.api.ReachedLimitView;
import dev.sluice.server.api.ReservationView;
import dev.sluice.server.api.WaitView;
import dev.sluice.server.api.WhyView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Describes why tasks are waiting. */
public final class Reasons {

    /** Maximum number of task names per reason. */
    public static final int NAMES_MAX = 20;

    private Reasons() {}

    /**
     * A wait reason with the number of tasks and the first names; immutable, so that its text can be built on any
     * thread.
     */
    public record ReasonEntry(long tasks, List<String> names, WaitReason reason) {}

    /**
     * A summary of an application; immutable.
     *
     * @param endsWithReason whether to append the only reason to the text
     */
    public record Summary(String application, String state, String text, boolean endsWithReason) {}

    /** The code of tasks that are allocated and cannot start. */
    public static final String CANNOT_START = "cannot-start";

    /** Returns why allocated tasks of an application cannot start, together where the reason is the same. */
    public static List<WaitView> obstacles(Application application, Map<RunRef, Obstacle> obstacles) {
        Map<String, List<String>> names = new LinkedHashMap<>();
        Map<String, String> details = new HashMap<>();
        obstacles.forEach((run, obstacle) -> {
            TaskGroup group = application.groupOf(run.task());
            Task task = group == null ? null : group.placed(run.task().position());
            if (task != null && task.run().equals(run)) {
                names.computeIfAbsent(obstacle.reason(), each -> new ArrayList<>())
                        .add(task.id());
                details.merge(obstacle.reason(), obstacle.toString(), (one, other) -> obstacle.reason());
            }
        });
        List<WaitView> views = new ArrayList<>();
        names.forEach((reason, tasks) -> views.add(new WaitView(
                tasks.size(),
                tasks.subList(0, Math.min(NAMES_MAX, tasks.size())),
                CANNOT_START,
                details.getOrDefault(reason, reason),
                false,
                null,
                null,
                null,
                null)));
        return views;
    }

    /** Returns the reason why these tasks are waiting. */
    public static ReasonEntry reason(PendingSummary waiting) {
        List<TaskGroup> shown =
                waiting.groups().subList(0, Math.min(NAMES_MAX, waiting.groups().size()));
        return new ReasonEntry(
                waiting.tasks(), shown.stream().map(TaskGroup::name).toList(), waiting.reason());
    }

    /**
     * Returns the summary of an application whose tasks have this number of wait reasons.
     *
     * @param hindered the number of allocated tasks that cannot start
     */
    public static Summary summary(Application application, int reasons, long hindered) {
        long waiting =
                application.state().isEnded() ? 0 : application.unallocated() + application.preempting() + hindered;
        String text = waiting == 0
                ? nothingWaits(application)
                : count(waiting)
                        + (waiting == 1 ? " waits" : " wait")
                        + (reasons == 1 ? ": " : ", for " + reasons + " reasons");
        return new Summary(application.id(), application.state().wireName(), text, waiting > 0 && reasons == 1);
    }

    private static String nothingWaits(Application application) {
        if (application.state().isEnded()) {
            String reason = application.stateReason();
            return "the application is " + application.state().wireName() + (reason.isEmpty() ? "" : ": " + reason);
        }
        return application.placed() > 0
                ? "no tasks are waiting: all remaining tasks are allocated"
                : application.isSealed() || application.state() == ApplicationState.COMPLETING
                        ? "no tasks are waiting: all tasks have ended"
                        : "no tasks are waiting; the application accepts more tasks";
    }

    /** Returns the explanation of an application's waiting tasks. Thread-safe. */
    public static WhyView view(Summary summary, List<ReasonEntry> reasons, List<WaitView> obstacles) {
        List<WaitView> views = new ArrayList<>(obstacles);
        reasons.forEach(reason -> views.add(view(reason)));
        String text = summary.endsWithReason() ? summary.text() + views.get(0).detail() : summary.text();
        return new WhyView(summary.application(), null, summary.state(), text, views, null);
    }

    private static WaitView view(ReasonEntry reason) {
        return view(reason.tasks(), reason.names(), reason.reason());
    }

    private static WaitView view(long tasks, List<String> names, WaitReason reason) {
        return new WaitView(
                tasks,
                names,
                reason.code(),
                reason.detail(),
                reason.isPermanent(),
                limit(reason),
                gang(reason),
                preemption(reason),
                reservation(reason));
    }

    private static @Nullable AwaitedReservationView reservation(WaitReason reason) {
        if (reason instanceof WaitReason.HasReservation own) {
            return new AwaitedReservationView(own.nodes(), own.start(), null, null);
        }
        return reason instanceof WaitReason.ReservedFor other
                ? new AwaitedReservationView(List.of(other.node()), other.until(), other.application(), other.task())
                : null;
    }

    private static @Nullable IncompleteGangView gang(WaitReason reason) {
        return reason instanceof WaitReason.GangIncomplete gang
                ? new IncompleteGangView(gang.fitting(), gang.members(), gang.topologyKey())
                : null;
    }

    private static @Nullable ReachedLimitView limit(WaitReason reason) {
        return reason instanceof WaitReason.LimitReached reached
                ? new ReachedLimitView(
                        reached.subject().wireName(),
                        reached.name(),
                        reached.queue(),
                        reached.resource(),
                        reached.limit().value(),
                        reached.used().value(),
                        reached.asked().value())
                : null;
    }

    private static @Nullable PreemptionView preemption(WaitReason reason) {
        if (!(reason instanceof WaitReason.NotPreempting notPreempting)) {
            return null;
        }
        PreemptionObstacle obstacle = notPreempting.obstacle();
        return new PreemptionView(
                obstacle.kind().wireName(),
                obstacle.queue(),
                obstacle.until(),
                obstacle.tasks() == 0 ? null : obstacle.tasks());
    }

    /** Returns these reasons as views. */
    public static List<WaitView> views(List<PendingSummary> waiting) {
        return waiting.stream().map(each -> view(reason(each))).toList();
    }

    private static String count(long tasks) {
        return tasks == 1 ? "1 task" : tasks + " tasks";
    }

    /**
     * Explains why a task is waiting, or describes its state. Returns null if the step budget is exhausted: call again
     * with a new one.
     */
    public static @Nullable WhyView of(
            Explainer explainer, TaskGroup group, TaskRef ref, Map<RunRef, Obstacle> obstacles, StepBudget budget) {
        Task task = group.placed(ref.position());
        String application = ref.application();
        String id = ref.id();
        if (task != null) {
            ReservationView reserved = !task.isReserved()
                    ? null
                    : new ReservationView(task.node().name(), task.placedAt(), AllocationText.victims(task));
            Obstacle obstacle = obstacles.get(task.run());
            return new WhyView(
                    application,
                    id,
                    task.state().wireName(),
                    AllocationText.of(task) + (obstacle == null ? "" : "; " + obstacle),
                    obstacles(group.application(), obstacle == null ? Map.of() : Map.of(task.run(), obstacle)),
                    reserved);
        }
        if (!group.isUnallocated(ref.position())) {
            return new WhyView(application, id, "ended", "the task has ended", List.of(), null);
        }
        WaitReason reason = explainer.explain(group, ref.position(), budget);
        if (reason == null) {
            return null;
        }
        TaskState state = group.isPending(ref.position()) ? TaskState.PENDING : TaskState.WAITING;
        return new WhyView(
                application, id, state.wireName(), reason.detail(), List.of(view(1, List.of(id), reason)), null);
    }
}
