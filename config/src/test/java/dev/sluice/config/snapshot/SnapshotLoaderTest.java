package dev.sluice.config.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.NodeState;
import dev.sluice.core.state.Partition;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Creates schedulers from snapshots. */
class SnapshotLoaderTest {

    private static final String HEAD =
            "at: 2026-01-01T12:00:00Z\nnodes: [{name: n, capacity: {vcore: 4}}]\napplications:\n";

    private static final Instant AT = Instant.parse("2026-01-01T12:00:00Z");

    private static Partition load(String applications) {
        return partition(scheduler(HEAD + applications));
    }

    private static Scheduler scheduler(String text) {
        return SnapshotLoader.load(SnapshotReader.read("s.yaml", text).value());
    }

    private static Partition partition(Scheduler scheduler) {
        return Objects.requireNonNull(scheduler.state().partition("default"));
    }

    private static String problems(String application) {
        return SnapshotReader.read("s.yaml", HEAD + "  - {id: x, queue: root.default, " + application + "}\n")
                .report();
    }

    @ParameterizedTest
    @CsvSource({
        "New, NEW",
        "Accepted, ACCEPTED",
        "Starting, STARTING",
        "Running, RUNNING",
        "Rejected, REJECTED",
        "Completing, COMPLETING",
        "Completed, COMPLETED",
        "Failing, FAILED",
        "Failed, FAILED",
        "Resuming, ACCEPTED"
    })
    void application_withoutTasks_hasGivenState(String given, ApplicationState state) {
        Partition partition = load("  - {id: x, queue: root.default, state: " + given + "}\n");
        assertThat(partition.existing("x").state()).isEqualTo(state);
        assertThat(partition.existing("x").isSealed()).isTrue();
    }

    @Test
    void application_expired_isRemoved() {
        assertThat(load("  - {id: x, queue: root.default, state: Expired}\n").applications())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "1, true, RUNNING",
        "1, false, STARTING",
        "2, true, RUNNING",
    })
    void application_running_hasStateImpliedByTasks(int running, boolean sealed, ApplicationState state) {
        Partition partition = load("  - {id: x, queue: root.default, sealed: " + sealed + ", tasks: [{id: r, count: "
                + running + ", state: running, resources: {vcore: 1}}]}\n");
        assertThat(partition.existing("x").state()).isEqualTo(state);
    }

    @Test
    void application_starting_startsNowUnlessStateSinceIsGiven() {
        Application application = load("  - {id: x, queue: root.default, state: Starting, sealed: false,"
                        + " submitted: 2026-01-01T10:00:00Z}\n")
                .existing("x");
        assertThat(application.stateSince()).isEqualTo(Instant.parse("2026-01-01T12:00:00Z"));
    }

    @ParameterizedTest
    @CsvSource({
        "'', READY, false, READY, ",
        "'state: offline', READY, true, OFFLINE, ",
        "'state: suspended', SUSPENDED, false, SUSPENDED, ",
        "'state: lost', LOST, false, LOST, 12:01:00",
        "'state: flaky', FLAKY, false, FLAKY, 12:15:00",
        "'state: flaky, offline: true', FLAKY, true, OFFLINE, 12:15:00",
        "'state: lost, offline: true, since: 2026-01-01T11:59:30Z', LOST, true, LOST, 12:00:30",
        "'state: flaky, since: 2026-01-01T11:50:00Z', FLAKY, false, FLAKY, 12:05:00",
    })
    void node_withState_keepsItForRemainingTime(
            String given, NodeHealth health, boolean offline, NodeState state, @Nullable LocalTime due) {
        Scheduler scheduler = scheduler("at: 2026-01-01T12:00:00Z\nnodes: [{name: n, count: 2, capacity: {vcore: 4}"
                + (given.isEmpty() ? "" : ", ") + given + "}]\n");
        for (Node node : partition(scheduler).nodes()) {
            assertThat(node.health()).isEqualTo(health);
            assertThat(node.isOffline()).isEqualTo(offline);
            assertThat(node.state()).isEqualTo(state);
        }
        Instant next = scheduler.nextDue("default");
        assertThat(next == null ? null : LocalTime.ofInstant(next, ZoneOffset.UTC))
                .isEqualTo(due);
    }

    @Test
    void node_lostForTooLong_isRemovedAndTasksMove() {
        Scheduler scheduler = scheduler("""
                at: 2026-01-01T12:00:00Z
                nodes:
                  - {name: n, capacity: {vcore: 4}, state: lost, since: 2026-01-01T11:59:00Z}
                  - {name: m, capacity: {vcore: 4}}
                applications:
                  - {id: x, queue: root.default, tasks: [{id: r, state: running, node: n, resources: {vcore: 1}}]}
                """);

        scheduler.cycle("default", Instant.parse("2026-01-01T12:00:00Z"));

        assertThat(partition(scheduler).nodes()).extracting(Node::name).containsExactly("m");
        assertThat(partition(scheduler).existing("x").placed()).isEqualTo(1);
    }

    @Test
    void tasks_ended_leaveNothingBehind() {
        Partition partition = load("  - {id: x, queue: root.default, tasks: [{id: s, count: 3, state: succeeded},"
                + " {id: f, state: failed}, {id: p}]}\n");
        Application application = partition.existing("x");
        assertThat(application.succeeded()).isEqualTo(3);
        assertThat(application.failed()).isEqualTo(1);
        assertThat(application.pending()).isEqualTo(1);
        assertThat(partition.nodes()).hasSize(1);
    }

    @Test
    void tasks_betweenEndedOnes_arePending() {
        Partition partition = load("  - {id: x, queue: root.default, tasks: [{id: t, count: 5, state: succeeded,"
                + " parts: [{first: 1, count: 2, state: pending}]}]}\n");
        Application application = partition.existing("x");
        assertThat(application.succeeded()).isEqualTo(3);
        assertThat(application.groups().get(0).unallocatedIndexes()).hasToString("{1, 2}");
    }

    @Test
    void task_runningBeforeItsDependencyIsMet_isNotPending() {
        Partition partition = load("  - {id: x, queue: root.default, tasks: [{id: t},"
                + " {id: r, state: running, after: {t: succeeded}}]}\n");
        assertThat(partition.existing("x").pending()).isEqualTo(1);
        assertThat(partition.queues().root().pendingTasks()).isEqualTo(1);
    }

    @Test
    void application_accepted_keepsTimeOfState() {
        Application application = load("  - {id: x, queue: root.default, state: Accepted,"
                        + " statesince: 2026-01-01T11:00:00Z, submitted: 2026-01-01T10:00:00Z, tasks: [{id: t}]}\n")
                .existing("x");
        assertThat(application.stateSince()).isEqualTo(Instant.parse("2026-01-01T11:00:00Z"));
    }

    @Test
    void task_running_isInItsFirstRun() {
        Application application = load("  - {id: x, queue: root.default, tasks: [{id: t, count: 3,"
                        + " parts: [{first: 1, state: running}]}]}\n")
                .existing("x");
        assertThat(Objects.requireNonNull(application.groups().get(0).placed(1)).attempt())
                .isEqualTo(1);
    }

    @Test
    void state_contradictingTasks_isReported() {
        assertThat(problems("state: Completed, tasks: [{id: t}]"))
                .isEqualTo("s.yaml:4:60: an application in state Completed cannot have tasks in state pending");
        assertThat(problems("state: New, tasks: [{id: t}]"))
                .isEqualTo("s.yaml:4:54: an application in state New cannot have tasks in state pending");
        assertThat(problems("state: Accepted, tasks: [{id: t, state: running}]"))
                .isEqualTo("s.yaml:4:59: an application in state Accepted cannot have tasks in state running");
        assertThat(problems("state: Failing, tasks: [{id: t}]"))
                .isEqualTo("s.yaml:4:58: an application in state Failing cannot have tasks in state pending");
    }

    // root (usage): a, b and queues that placement rules create
    private static final String USAGE = """
            at: 2026-01-01T12:00:00Z
            partitions:
              - name: default
                placementrules: [{name: provided}, {name: user, create: true}]
                queues: [{name: root, properties: {queue.share.policy: usage}, queues: [{name: a}, {name: b, queues: [{name: c}]}]}]
              - {name: other, queues: [{name: root, queues: [{name: a}]}]}
            nodes: [{name: n, capacity: {vcore: 4}}]
            applications:
              - id: x
                queue: root.a
                submitted: 2026-01-01T10:00:00Z
                tasks: [{id: r, state: running, started: 2026-01-01T11:00:00Z, resources: {vcore: 2}}]
              - id: y
                user: mary
                submitted: 2026-01-01T10:00:00Z
                tasks: [{id: r, state: running, started: 2026-01-01T11:00:00Z, resources: {vcore: 1}}]
            """;

    private static double usagePriority(Partition partition, String path, Instant at) {
        return partition
                .usage()
                .priority(Objects.requireNonNull(partition.queues().find(path)), at);
    }

    @Test
    void usagePriority_missing_isZeroDespiteRunningTasks() {
        Partition partition = partition(scheduler(USAGE));
        for (String path : new String[] {"root.a", "root.b", "root.mary"}) {
            assertThat(usagePriority(partition, path, AT)).as(path).isZero();
        }
        assertThat(usagePriority(partition, "root.a", AT.plus(Duration.ofMinutes(20))))
                .isEqualTo(1.0, within(1e-9));
    }

    @Test
    void usagePriority_given_appliesAtSnapshotInstant() {
        Partition partition = partition(scheduler(USAGE
                + "queues: [{path: Root.A, usagepriority: 3.2}, {path: root.mary, usagepriority: 8},"
                + " {path: root.nobody, usagepriority: 9}]\n"));
        assertThat(usagePriority(partition, "root.a", AT)).isEqualTo(3.2);
        assertThat(usagePriority(partition, "root.b", AT)).isZero();
        assertThat(usagePriority(partition, "root.mary", AT)).isEqualTo(8);
        assertThat(usagePriority(partition, "root.a", AT.plus(Duration.ofMinutes(20))))
                .isEqualTo(2.6, within(1e-9));
    }

    @Test
    void usagePriority_belowOtherSharePolicy_isIgnored() {
        Scheduler scheduler = scheduler(USAGE
                + "queues: [{path: root, usagepriority: 1}, {path: root.b.c, usagepriority: 2},"
                + " {path: root.a, partition: other, usagepriority: 3}]\n");
        assertThat(usagePriority(partition(scheduler), "root.b.c", AT)).isZero();
        Partition other = Objects.requireNonNull(scheduler.state().partition("other"));
        assertThat(usagePriority(other, "root.a", AT)).isZero();
    }

    @Test
    void seed_ofSnapshot_isThatOfEveryPartition() {
        Scheduler scheduler = scheduler(USAGE + "seed: -42\n");
        assertThat(scheduler.state().partitions()).extracting(Partition::seed).containsExactly(-42L, -42L);
        assertThat(partition(scheduler(USAGE)).seed()).isZero();
    }
}
