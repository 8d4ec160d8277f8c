package dev.sluice.core.explain;

import dev.sluice.core.state.Task;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Describes allocated tasks for people, where an {@link Explainer} describes those that wait. */
public final class AllocationText {

    private static final int NAMES_MAX = 20;

    private AllocationText() {}

    /** Returns what an allocated task does, and where. */
    public static String of(Task task) {
        String node = task.node().name();
        return switch (task.state()) {
            case RESERVED -> reserved(task);
            case STARTING -> "allocated on " + node + "; not reported as started yet";
            case SUSPENDED ->
                "suspended on " + node + "; it keeps its resources and continues after sluice resume "
                        + task.application().id();
            case STOPPING -> "stopping on " + node;
            case PREEMPTING -> "being preempted on " + node + "; pending again when it has ended";
            default -> "running on " + node;
        };
    }

    private static String reserved(Task task) {
        List<String> victims = victims(task);
        String names = String.join(", ", victims.subList(0, Math.min(NAMES_MAX, victims.size())));
        return "reserved on " + task.node().name() + " since "
                + task.placedAt().truncatedTo(ChronoUnit.SECONDS) + "; starts when "
                + (victims.size() == 1 ? "1 task preempted there has" : victims.size() + " tasks preempted there have")
                + " ended: " + names
                + (victims.size() > NAMES_MAX ? ", …" : "");
    }

    /** Returns the tasks that a reserved task waits for. */
    public static List<String> victims(Task reserved) {
        return reserved.node().tasks().stream()
                .filter(Task::isPreempting)
                .map(Task::toString)
                .toList();
    }
}
