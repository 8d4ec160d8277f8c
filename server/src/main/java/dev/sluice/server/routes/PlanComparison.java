package dev.sluice.server.routes;

import dev.sluice.config.snapshot.Snapshot;
import dev.sluice.config.snapshot.SnapshotLoader;
import dev.sluice.core.command.Command;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.explain.Explainer;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.server.api.PlanCounts;
import dev.sluice.server.api.PlanView;
import dev.sluice.server.api.PlannedApplicationView;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.view.Reasons;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One cycle of every partition of two copies of the scheduler, made from the same snapshot: of one that is changed, and
 * of one that is not.
 */
final class PlanComparison {

    /** Maximum number of applications in an answer; explaining why their tasks wait takes the longest. */
    static final int APPLICATIONS_MAX = 200;

    private static final PlanCounts NOTHING = new PlanCounts(0, 0, 0);

    private PlanComparison() {}

    private record ApplicationKey(String partition, String id) {}

    /** What the cycle does with an application. */
    private static final class Moves {
        private long starting;
        private long preempted;
        private final Set<String> beneficiaries = new LinkedHashSet<>();
    }

    /** An application that something happens to, or that waits. */
    private record Line(Partition partition, Application application, PlanCounts changed, PlanCounts unchanged) {
        boolean isAffected() {
            return !changed.equals(unchanged);
        }
    }

    /** Throws a problem if the scheduler refuses one of the changes. */
    static PlanView of(Snapshot snapshot, List<Command> changes) {
        Map<ApplicationKey, PlanCounts> unchanged = unchanged(snapshot);
        Scheduler scheduler = SnapshotLoader.load(snapshot);
        for (Command change : changes) {
            ProblemException.requireAccepted(scheduler.handle(change, snapshot.at()));
        }
        Map<ApplicationKey, Moves> moves = cycle(scheduler, snapshot);
        List<Line> affected = new ArrayList<>();
        List<Line> others = new ArrayList<>();
        for (Partition partition : scheduler.state().partitions()) {
            for (Application application : partition.applications()) {
                ApplicationKey key = key(partition, application);
                PlanCounts before = unchanged.getOrDefault(key, NOTHING);
                Line line = new Line(partition, application, counts(application, moves.get(key)), before);
                if (line.isAffected()) {
                    affected.add(line);
                } else if (!before.equals(NOTHING)) {
                    others.add(line);
                }
            }
        }
        Map<String, Explainer> explainers = new HashMap<>();
        return new PlanView(
                snapshot.at(),
                sum(Stream.concat(affected.stream(), others.stream()).map(Line::changed)),
                sum(unchanged.values().stream()),
                Stream.concat(affected.stream(), others.stream())
                        .limit(APPLICATIONS_MAX)
                        .map(line -> view(
                                line,
                                moves.get(key(line.partition(), line.application())),
                                explainers.computeIfAbsent(
                                        line.partition().name(),
                                        name -> new Explainer(line.partition(), snapshot.at()))))
                        .toList(),
                affected.size() + others.size(),
                affected.size());
    }

    private static Map<ApplicationKey, PlanCounts> unchanged(Snapshot snapshot) {
        Scheduler scheduler = SnapshotLoader.load(snapshot);
        Map<ApplicationKey, Moves> moves = cycle(scheduler, snapshot);
        Map<ApplicationKey, PlanCounts> counts = new HashMap<>();
        for (Partition partition : scheduler.state().partitions()) {
            for (Application application : partition.applications()) {
                ApplicationKey key = key(partition, application);
                PlanCounts of = counts(application, moves.get(key));
                if (!of.equals(NOTHING)) {
                    counts.put(key, of);
                }
            }
        }
        return counts;
    }

    private static Map<ApplicationKey, Moves> cycle(Scheduler scheduler, Snapshot snapshot) {
        Map<ApplicationKey, Moves> moves = new HashMap<>();
        for (Partition partition : List.copyOf(scheduler.state().partitions())) {
            for (Event event : scheduler.cycle(partition.name(), snapshot.at())) {
                if (event instanceof TaskEvent.Placed placed) {
                    of(moves, partition, placed.application()).starting++;
                } else if (event instanceof TaskEvent.Stopping stopping) {
                    Moves stopped = of(moves, partition, stopping.application());
                    stopped.preempted++;
                    if (stopping.beneficiary() != null) {
                        stopped.beneficiaries.add(stopping.beneficiary().application());
                    }
                }
            }
        }
        return moves;
    }

    private static Moves of(Map<ApplicationKey, Moves> moves, Partition partition, String application) {
        return moves.computeIfAbsent(new ApplicationKey(partition.name(), application), key -> new Moves());
    }

    private static ApplicationKey key(Partition partition, Application application) {
        return new ApplicationKey(partition.name(), application.id());
    }

    private static PlanCounts counts(Application application, @Nullable Moves moves) {
        long waiting = application.state().isEnded() ? 0 : application.unallocated() + application.preempting();
        return new PlanCounts(moves == null ? 0 : moves.starting, moves == null ? 0 : moves.preempted, waiting);
    }

    private static PlanCounts sum(Stream<PlanCounts> counts) {
        return counts.reduce(
                NOTHING,
                (a, b) -> new PlanCounts(
                        a.starting() + b.starting(), a.preempted() + b.preempted(), a.waiting() + b.waiting()));
    }

    private static PlannedApplicationView view(Line line, @Nullable Moves moves, Explainer explainer) {
        Application application = line.application();
        Queue queue = application.queue();
        return new PlannedApplicationView(
                line.partition().name(),
                application.id(),
                queue == null ? null : queue.path(),
                application.spec().user(),
                line.changed(),
                line.unchanged(),
                moves == null ? List.of() : List.copyOf(moves.beneficiaries),
                line.changed().waiting() == 0 ? List.of() : Reasons.views(explainer.explain(application)));
    }
}
