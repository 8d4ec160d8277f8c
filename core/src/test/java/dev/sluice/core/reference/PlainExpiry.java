package dev.sluice.core.reference;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is due at the beginning of a cycle: (due, application, task), an application's own stay before its tasks. */
final class PlainExpiry {

    private final Map<String, PlainApplication> applications;
    private final PlainQueue root;
    private final List<String> steps;

    PlainExpiry(Map<String, PlainApplication> applications, PlainQueue root, List<String> steps) {
        this.applications = applications;
        this.root = root;
        this.steps = steps;
    }

    private record Due(
            Instant at, Application application, @Nullable Task task) {}

    void expire(Partition partition, Instant now) {
        List<Due> dues = new ArrayList<>();
        for (Application application : partition.applications()) {
            Duration stay = longestStay(application.state());
            if (stay != null) {
                dues.add(new Due(application.stateSince().plus(stay), application, null));
            }
            for (TaskGroup group : application.groups()) {
                Duration timeout = group.spec().timeout();
                for (Task task : group.placed()) {
                    Instant started = task.startedAt();
                    if (timeout != null && started != null && task.state() == TaskState.RUNNING) {
                        dues.add(new Due(started.plus(timeout), application, task));
                    }
                }
            }
        }
        dues.stream()
                .filter(due -> !due.at().isAfter(now))
                .sorted(Comparator.comparing(Due::at)
                        .thenComparing(due -> due.application().index())
                        .thenComparing(
                                due -> due.task() == null ? -1 : due.task().sequence()))
                .forEach(this::expire);
    }

    private static @Nullable Duration longestStay(ApplicationState state) {
        return switch (state) {
            case STARTING -> Duration.ofMinutes(5);
            case COMPLETING -> Duration.ofSeconds(30);
            case REJECTED, COMPLETED, FAILED -> Duration.ofDays(3);
            default -> null;
        };
    }

    private void expire(Due due) {
        Task task = due.task();
        if (task != null) {
            steps.add(
                    PlainCycle.stop(due.application().id(), task.group().spec().name(), task.index(), "timeout"));
            return;
        }
        ApplicationState from = due.application().state();
        ApplicationState to = switch (from) {
            case STARTING -> ApplicationState.RUNNING;
            case COMPLETING -> ApplicationState.COMPLETED;
            default -> ApplicationState.EXPIRED;
        };
        steps.add(PlainCycle.change(due.application().id(), from, to));
        PlainApplication application = applications.get(due.application().id());
        if (application != null) {
            application.state = to;
        }
        if (application != null && to == ApplicationState.COMPLETED) {
            PlainQueue leaf = root.queues()
                    .filter(queue -> queue.applications.remove(application))
                    .findFirst()
                    .orElseThrow();
            removeEmpty(leaf);
        }
    }

    private void removeEmpty(PlainQueue leaf) {
        for (PlainQueue queue : leaf.upToRoot()) {
            PlainQueue parent = queue.parent;
            if (parent == null || queue.kept || !queue.children.isEmpty() || !queue.applications.isEmpty()) {
                return;
            }
            parent.children.remove(queue);
            steps.add(PlainCycle.remove(queue.path));
        }
    }
}
