package dev.sluice.config.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.reference.RandomCluster;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.SchedulerLimits;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.testing.Invariants;
import dev.sluice.core.testing.RecordedCheckpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The snapshot of a random cluster, written as YAML and read again, makes the same decisions as the cluster: the same
 * placements in the same order, and the same tasks stopped.
 *
 * <p>Excluded is what a snapshot cannot express: draining queues, queues created by a rule of another configuration,
 * random draws, the number of earlier runs of a task, which matters only when it is lost or times out, and time limits
 * and groups of limits that were determined under another configuration.
 */
@Tag("slow")
final class SnapshotBuilderPropertyTest {

    private static final int CYCLES = 60;
    private static final int SEEDS = 10;

    private int compared;
    private int placed;
    private int stopped;

    @Test
    void snapshot_ofRandomCluster_decidesLikeCluster() {
        compareFrom(0, 12);
    }

    @Test
    void snapshot_ofControlledCluster_decidesLikeCluster() {
        List<Event> journal = new ArrayList<>();
        for (int seed = 0; seed < 4; seed++) {
            RandomCluster cluster = cluster(seed).controlled();
            cluster.run(CYCLES);
            compare(seed, cluster.journal());
            journal.addAll(cluster.journal());
        }
        assertThat(journal).hasAtLeastOneElementOfType(ApplicationEvent.Held.class);
        assertThat(journal).hasAtLeastOneElementOfType(ApplicationEvent.HoldReleased.class);
        assertThat(journal).hasAtLeastOneElementOfType(ApplicationEvent.Retried.class);
        assertThat(compared).isGreaterThan(20);
    }

    @Test
    void snapshot_ofLimitedCluster_decidesLikeCluster() {
        compare(RandomCluster::limited);
        assertThat(compared).isGreaterThan(30);
        assertThat(placed).isGreaterThan(20);
    }

    @Test
    void snapshot_ofConstrainedCluster_decidesLikeCluster() {
        compare(RandomCluster::constrained);
        assertThat(compared).isGreaterThan(30);
        assertThat(placed).isGreaterThan(20);
    }

    @Test
    void snapshot_ofPreemptingCluster_decidesLikeCluster() {
        compare(RandomCluster::preempting);
        assertThat(compared).isGreaterThan(30);
        assertThat(stopped).isGreaterThan(20);
    }

    @Test
    void snapshot_ofClusterWithGangs_decidesLikeCluster() {
        compare(RandomCluster::ganging);
        assertThat(compared).isGreaterThan(30);
        assertThat(placed).isGreaterThan(20);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(longs = {0, 1000, 2000, 3000})
    void snapshot_ofManyRandomClusters_decidesLikeCluster(long from) {
        compareFrom(from, 25);
    }

    /** Compares clusters with more features. */
    private void compare(UnaryOperator<RandomCluster> more) {
        for (int seed = 0; seed < SEEDS; seed++) {
            RandomCluster cluster = more.apply(cluster(seed));
            cluster.run(CYCLES);
            compare(seed, cluster.journal());
        }
    }

    private void compareFrom(long from, int seeds) {
        for (long seed = from; seed < from + seeds; seed++) {
            one(seed);
        }
        assertThat(compared).isGreaterThan(12 * seeds);
        assertThat(placed).isGreaterThan(8 * seeds);
        assertThat(stopped).isGreaterThan(30 * seeds / 25);
    }

    /** Returns a cluster without reservations: a snapshot has none, they are made again. */
    private static RandomCluster cluster(long seed) {
        return new RandomCluster(seed, false, RandomCluster.FEW_NODES).reservingNothing();
    }

    /** Replays the history of one cluster. */
    void one(long seed) {
        RandomCluster cluster = cluster(seed);
        cluster.run(CYCLES);
        compare(seed, cluster.journal());
    }

    /** Compares at every step of time, shortly before the next event. */
    private void compare(long seed, List<Event> journal) {
        Scheduler scheduler = new Scheduler();
        for (int i = 0; i < journal.size(); i++) {
            scheduler.restore(List.of(journal.get(i)));
            Instant at = journal.get(i).at();
            Instant next = i + 1 < journal.size() ? journal.get(i + 1).at() : at.plusSeconds(60);
            if (next.isAfter(at)) {
                compare("seed " + seed + ", event " + i, scheduler.state(), at);
                compare("seed " + seed + ", after event " + i, scheduler.state(), next);
            }
        }
    }

    private void compare(String where, SchedulerState state, Instant at) {
        Partition partition = state.partitions().iterator().next();
        if (!canBeSaid(partition, at)) {
            return;
        }
        Snapshot snapshot = SnapshotBuilder.capture(state, at);
        String yaml = SnapshotWriter.yaml(snapshot);
        // the configurations of these clusters are not valid in files, so they bypass the file
        ParseResult<Snapshot> reading = SnapshotReader.read(where, yaml, snapshot.partitions());
        assertThat(reading.isOk())
                .as("%s: %s\n%s", where, reading.problems(), yaml)
                .isTrue();
        Scheduler original =
                Scheduler.fromCheckpoint(RecordedCheckpoint.of(state).source());
        List<Event> expected = original.cycle(partition.name(), at);
        Scheduler loaded = SnapshotLoader.load(reading.value());
        Invariants.check(loaded.state());
        if (!hasTheSameQueues(partition, loaded.state()) || !hasTheSameLimitGroups(partition, loaded.state())) {
            return;
        }
        List<Event> actual = loaded.cycle(partition.name(), at);
        assertThat(placements(actual)).as("%s\n%s", where, yaml).isEqualTo(placements(expected));
        assertThat(stops(actual)).as("%s\n%s", where, yaml).containsExactlyInAnyOrderElementsOf(stops(expected));
        compared++;
        placed += placements(expected).size();
        stopped += stops(expected).size();
    }

    private static boolean hasTheSameLimitGroups(Partition partition, SchedulerState loaded) {
        Partition other = loaded.partitions().iterator().next();
        return partition.applications().stream()
                .filter(application -> !application.state().isEnded())
                .allMatch(application -> {
                    Application read = other.application(application.id());
                    return read == null || Objects.equals(read.limitGroup(), application.limitGroup());
                });
    }

    /** A file does not say how often a task has run, nor when, so attempts and instants may differ. */
    private static List<String> placements(List<Event> events) {
        return events.stream()
                .filter(TaskEvent.Placed.class::isInstance)
                .map(TaskEvent.Placed.class::cast)
                .map(event -> event.task() + " on " + event.node() + (event.reserved() ? " reserved" : ""))
                .toList();
    }

    private static List<String> stops(List<Event> events) {
        return events.stream()
                .filter(TaskEvent.Stopping.class::isInstance)
                .map(TaskEvent.Stopping.class::cast)
                .map(event -> event.task() + " " + event.reason())
                .toList();
    }

    private static boolean canBeSaid(Partition partition, Instant at) {
        List<Task> tasks = new ArrayList<>();
        for (Node node : partition.nodes()) {
            boolean givenUp = node.health() == NodeHealth.LOST
                    && !node.healthSince().plus(SchedulerLimits.LOST_MAX).isAfter(at);
            if (givenUp && node.tasks().stream().anyMatch(SnapshotBuilderPropertyTest::wasTriedBefore)) {
                return false;
            }
            tasks.addAll(node.tasks());
        }
        return partition.applications().stream().noneMatch(SnapshotBuilderPropertyTest::hasStartedSomethingThatIsGone)
                && partition.queues().all().stream().noneMatch(Queue::isDraining)
                && tasks.stream().noneMatch(Task::hasFormerKind)
                && tasks.stream().allMatch(SnapshotBuilderPropertyTest::hasItsTimeLimit);
    }

    /**
     * Returns whether queues created by placement rules equal those that would be created now; the configuration may
     * have changed.
     */
    private static boolean hasTheSameQueues(Partition partition, SchedulerState loaded) {
        Partition other = Objects.requireNonNull(loaded.partition(partition.name()));
        return partition.queues().all().stream()
                .filter(Queue::isDynamic)
                .allMatch(queue -> queue.configuration()
                        .equals(Objects.requireNonNull(other.queues().find(queue.path()))
                                .configuration()));
    }

    /** A file does not say which task was allocated first, which decides when the next application is served. */
    private static boolean hasStartedSomethingThatIsGone(Application application) {
        return application.state() == ApplicationState.STARTING
                && application.boundTasks() == 0
                && application.queue().sortPolicy() == ApplicationSortPolicy.STATE_AWARE;
    }

    private static boolean wasTriedBefore(Task task) {
        return task.attempt() > 1 || task.stopReason() != null;
    }

    private static boolean hasItsTimeLimit(Task task) {
        Duration own = task.group().kind().attempts().timeout();
        Duration now = own != null ? own : task.application().queue().taskTimeout();
        return task.startedAt() == null || Objects.equals(task.timeout(), now);
    }
}
