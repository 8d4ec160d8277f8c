package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.ReservationProperties;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** For which candidates tasks are preempted at the end of a cycle, and when the next cycle is due. */
@ExtendWith(SchedulerExtension.class)
class PreemptionPhaseTest {

    private static final Duration DELAY = Duration.ofSeconds(30);

    private static final String TREE = """
            root
            ├─ a    guaranteed(vcore 2)
            └─ b
            """;

    private static TaskSpec cores(String name, int count, int cores) {
        return TaskSpec.of(name, count, Resources.parse("vcore", String.valueOf(cores)));
    }

    private static void fill(ClusterUnderTest cluster, String id, String queue, TaskSpec... tasks) {
        cluster.submit(id, queue, tasks).cycle();
        cluster.startAll();
    }

    /** Returns the victims of a cycle after the delay, with their beneficiaries. */
    private static List<String> afterDelay(ClusterUnderTest cluster) {
        cluster.cycle();
        cluster.advance(DELAY).cycle();
        return cluster.events().stream()
                .filter(TaskEvent.Stopping.class::isInstance)
                .map(TaskEvent.Stopping.class::cast)
                .map(stop -> stop.task() + " for " + stop.beneficiary())
                .toList();
    }

    private static @Nullable Instant nextDue(ClusterUnderTest cluster) {
        return cluster.scheduler().scheduler().nextDue("default");
    }

    /** In the cycle of the preemption something smaller fits, so that the candidate was tried and skipped before. */
    @Test
    void task_skippedEarlierInTheCycle_isCandidate(ClusterUnderTest cluster) {
        QueueConfiguration root = QueueTreeText.of(TREE);
        cluster.queues(root.withProperties(root.properties().withReservation(new ReservationProperties(null, 0))))
                .node("n", "vcore", "3");
        fill(cluster, "b", "root.b", cores("t", 1, 2));
        cluster.submit("x", "root.a", cores("t", 1, 2)).cycle();
        cluster.advance(DELAY).submit("small", "root.b", cores("t", 1, 1));

        assertThat(cluster.cycle()).containsExactly("small/t-0 -> n", "x/t-0 -> n");
    }

    /** The first application may only preempt itself, which says nothing about the second. */
    @Test
    void priority_ofSecondApplicationOfEqualTasks_preempts(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                └─ a    bypriority
                """)).node("n", "vcore", "1");
        fill(cluster, "one", "root.a", cores("low", 1, 1));
        cluster.add("one", cores("high", 1, 1).withPriority(5))
                .submit("two", "root.a", cores("high", 1, 1).withPriority(5));

        assertThat(afterDelay(cluster)).containsExactly("default/one/low-0 for default/two/high-0");
    }

    /** The first preemption stops a task of amy, who was at her limit; one of her tasks would fit a node. */
    @Test
    void task_waitingForLimitThatAPreemptionFrees_isCandidateInTheSameCycle(ClusterUnderTest cluster) {
        QueueConfiguration root = QueueTreeText.of("""
                root
                └─ a    bypriority user(amy: vcore 2)
                """);
        cluster.queues(root.withProperties(root.properties().withReservation(new ReservationProperties(null, 0))))
                .node("n", "vcore", "5");
        fill(cluster, "bob-low", "root.a", cores("t", 1, 2).withPriority(-1));
        submitAs(cluster, "amy", "amy-low", cores("t", 1, 2).withPriority(-2)).cycle();
        cluster.startAll();
        cluster.submit("bob", "root.a", cores("t", 1, 2).withPriority(1));
        submitAs(cluster, "amy", "amy", cores("t", 1, 2), cores("small", 1, 1).withPriority(-5));

        assertThat(afterDelay(cluster))
                .containsExactly("default/amy-low/t-0 for default/bob/t-0", "default/bob-low/t-0 for default/amy/t-0");
    }

    private static ClusterUnderTest submitAs(ClusterUnderTest cluster, String user, String id, TaskSpec... tasks) {
        return cluster.submit(ApplicationSpec.sealed(id, "root.a", tasks).withUser(user));
    }

    @Test
    void class_withoutLoad_preemptsNothing(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root    load
                ├─ a    percent(50) bypriority
                └─ b    percent(50)
                """)).node("n", "vcore", "1");
        fill(cluster, "low", "root.a", cores("t", 1, 1));
        cluster.handle(new Command.SetClassLoadPercents("default", "root", Map.of("a", 0, "b", 100)))
                .submit("high", "root.a", cores("t", 1, 1).withPriority(5));

        assertThat(afterDelay(cluster)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"2,2", "1,0"})
    void throttle_belowRunningTasks_preventsPreemption(int throttle, int victims, ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of(TREE)).node("n", "vcore", "2");
        fill(cluster, "b", "root.b", cores("t", 2, 1));
        cluster.handle(new Command.SetThrottle("default", throttle)).submit("x", "root.a", cores("t", 2, 1));

        assertThat(afterDelay(cluster)).hasSize(victims);
    }

    @ParameterizedTest
    @ValueSource(strings = {"user(alice: vcore 1)", "user(alice: running 1)", "applications(1)"})
    void task_beyondLimit_preemptsNothing(String limit, ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ a    guaranteed(vcore 2) %s
                └─ b
                """.formatted(limit))).node("n", "vcore", "2");
        fill(cluster, "b", "root.b", cores("t", 1, 1));
        cluster.submit(ApplicationSpec.open("first", "root.a", cores("t", 1, 1)).withUser("alice"))
                .cycle();
        cluster.startAll()
                .submit(ApplicationSpec.open("x", "root.a", cores("t", 1, 1)).withUser("alice"));

        assertThat(afterDelay(cluster)).isEmpty();
    }

    /** Its application has already started, so that the maximum number of applications does not concern it. */
    @Test
    void task_ofActiveApplicationAtMaximum_preempts(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ a    guaranteed(vcore 2) applications(1)
                └─ b
                """)).node("n", "vcore", "2");
        fill(cluster, "b", "root.b", cores("t", 1, 1));
        fill(cluster, "first", "root.a", cores("t", 1, 1));
        cluster.add("first", cores("u", 1, 1));

        assertThat(afterDelay(cluster)).containsExactly("default/b/t-0 for default/first/u-0");
    }

    /** The throttle prevents its start, although a node is free. */
    @Test
    void task_thatFitsBesideOthers_preemptsNothing(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of(TREE)).node("full", "vcore", "1");
        fill(cluster, "b", "root.b", cores("t", 1, 1));
        cluster.node("free", "vcore", "1")
                .handle(new Command.SetThrottle("default", 1))
                .submit("x", "root.a", cores("t", 1, 1));

        assertThat(afterDelay(cluster)).isEmpty();
    }

    /** A node that has shrunk holds more memory than it has; the pending task requests none. */
    @Test
    void node_overItsCapacityOfAnotherResource_hasVictims(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of(TREE)).node("n", "vcore", "1", "memory", "4Gi", "gpu", "1");
        fill(cluster, "b", "root.b", cores("t", 1, 1));
        fill(
                cluster,
                "memory",
                "root.b",
                TaskSpec.of("t", 1, Resources.parse("memory", "4Gi")).withPreemptible(false));
        cluster.updateNode("n", "vcore", "1", "memory", "2Gi", "gpu", "1")
                .submit("x", "root.a", TaskSpec.of("t", 1, Resources.parse("vcore", "1", "gpu", "1")));

        assertThat(afterDelay(cluster)).containsExactly("default/b/t-0 for default/x/t-0");
    }

    @Test
    void protections_ofSeveralTasks_firstToEndIsDue(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root    runtime(PT3M)
                ├─ a    guaranteed(vcore 2)
                └─ b
                """)).nodes("n", 3, "vcore", "1");
        fill(cluster, "second", "root.b", cores("t", 1, 1));
        Instant first = cluster.now();
        cluster.advance(Duration.ofMinutes(1));
        fill(cluster, "third", "root.b", cores("t", 1, 1));
        fill(cluster, "never", "root.b", cores("t", 1, 1).withPreemptible(false));
        cluster.submit("x", "root.a", cores("t", 1, 1));

        assertThat(afterDelay(cluster)).isEmpty();
        assertThat(nextDue(cluster)).isEqualTo(first.plus(Duration.ofMinutes(3)));
    }

    @Test
    void tasks_thatAreNeverPreempted_makeNoCycleDue(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of(TREE)).node("n", "vcore", "1");
        fill(cluster, "never", "root.b", cores("t", 1, 1).withPreemptible(false));
        cluster.submit("x", "root.a", cores("t", 1, 1));
        assertThat(afterDelay(cluster)).isEmpty();
        cluster.advance(Duration.ofHours(1)).cycle();

        assertThat(nextDue(cluster)).isNull();
    }

    /** What the victims leave beside the beneficiary is free at once. */
    @Test
    void cycle_thatPreempts_isFollowedByAnother(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of(TREE)).node("n", "vcore", "2");
        fill(cluster, "b", "root.b", cores("t", 1, 2));
        cluster.submit("x", "root.a", cores("t", 1, 1)).submit("y", "root.b", cores("t", 1, 1));

        assertThat(afterDelay(cluster)).containsExactly("default/b/t-0 for default/x/t-0");
        assertThat(nextDue(cluster)).isEqualTo(cluster.now());
        assertThat(cluster.cycle()).containsExactly("y/t-0 -> n");
    }
}
