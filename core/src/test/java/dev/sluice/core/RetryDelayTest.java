package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.Retries;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.explain.Explainer;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tasks that run again some time after they failed, or only after some exit codes. */
@ExtendWith(SchedulerExtension.class)
class RetryDelayTest {

    private static final TaskSpec TASK = TaskSpec.single("t", Resources.parse("vcore", "1"));
    private static final Duration DELAY = Duration.ofSeconds(30);
    private static final Retries DELAYED = new Retries(3, DELAY, 2, List.of());

    private static ClusterUnderTest ready(ClusterUnderTest cluster, TaskSpec... tasks) {
        cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "4");
        cluster.submitSealed("a", null, tasks).cycle();
        return cluster.startAll();
    }

    private static TaskEvent.Ended ended(ClusterUnderTest cluster) {
        return cluster.events().stream()
                .filter(TaskEvent.Ended.class::isInstance)
                .map(TaskEvent.Ended.class::cast)
                .findFirst()
                .orElseThrow();
    }

    private static List<String> reasons(ClusterUnderTest cluster) {
        return new Explainer(cluster.partition())
                .explain(Objects.requireNonNull(cluster.partition().application("a"))).stream()
                        .map(each -> each.tasks() + " " + each.reason().code() + ": "
                                + each.reason().detail())
                        .toList();
    }

    @Test
    void task_failed_runsAgainAfterGrowingDelay(ClusterUnderTest cluster) {
        ready(cluster, TASK.withRetries(DELAYED));
        for (int seconds : List.of(30, 60, 120)) {
            cluster.fail("a/t");
            Instant due = cluster.now().plusSeconds(seconds);
            assertThat(ended(cluster).retryAt()).isEqualTo(due);
            cluster.advance(Duration.ofSeconds(seconds).minusMillis(1));
            assertThat(cluster.cycle()).isEmpty();
            assertThat(reasons(cluster))
                    .containsExactly("1 retry-delay: failed; the next attempt starts at " + due + " at the earliest");

            cluster.advance(Duration.ofMillis(1));

            assertThat(cluster.cycle()).containsExactly("a/t -> n");
            cluster.startAll();
        }
        cluster.fail("a/t");
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.FAILED);
    }

    @Test
    void otherTasks_oneInDelay_start(ClusterUnderTest cluster) {
        TaskSpec tasks = TaskSpec.of("t", 6, Resources.parse("vcore", "1")).withRetries(DELAYED);
        ready(cluster, tasks).fail("a/t-1");

        assertThat(cluster.cycle()).containsExactly("a/t-4 -> n");
        assertThat(reasons(cluster)).hasSize(2).element(1).asString().startsWith("1 retry-delay");
        cluster.advance(DELAY).succeed("a/t-0");
        assertThat(cluster.cycle()).as("a returned task comes first").containsExactly("a/t-1 -> n");
    }

    @Test
    void task_stoppedInDelay_doesNotRunAgain(ClusterUnderTest cluster) {
        ready(cluster, TASK.withRetries(DELAYED)).fail("a/t").stop("a/t");

        assertThat(cluster.state("a")).isEqualTo(ApplicationState.FAILED);
        assertThat(cluster.advance(DELAY).cycle()).isEmpty();
    }

    @Test
    void application_cancelledInDelay_ends(ClusterUnderTest cluster) {
        ready(cluster, TASK.withRetries(DELAYED)).fail("a/t").cancel("a");

        assertThat(cluster.state("a")).isEqualTo(ApplicationState.FAILED);
        assertThat(cluster.advance(DELAY).cycle()).isEmpty();
    }

    @Test
    void application_heldInDelay_waitsForBoth(ClusterUnderTest cluster) {
        ready(cluster, TASK.withRetries(DELAYED)).fail("a/t").hold("a");

        assertThat(reasons(cluster)).singleElement().asString().startsWith("1 held");
        assertThat(cluster.advance(DELAY).cycle()).isEmpty();
        assertThat(cluster.release("a").cycle()).containsExactly("a/t -> n");
    }

    @Test
    void task_lost_runsAgainAtOnce(ClusterUnderTest cluster) {
        ready(cluster, TASK.withRetries(new Retries(3, DELAY, 2, List.of(75)))).lose("a/t");

        assertThat(cluster.cycle()).containsExactly("a/t -> n");
    }

    @Test
    void task_timedOut_delaysItsRetry(ClusterUnderTest cluster) {
        ready(cluster, TASK.withAttempts(0, Duration.ofMinutes(1)).withRetries(DELAYED));
        cluster.advance(Duration.ofMinutes(1)).cycle();

        assertThat(ended(cluster.fail("a/t")).retryAt()).isNotNull();
    }

    @Test
    void exitCode_listed_isRetried(ClusterUnderTest cluster) {
        ready(cluster, TASK.withRetries(new Retries(1, Duration.ZERO, 1, List.of(2, 75))))
                .fail("a/t", 75);

        assertThat(cluster.cycle()).containsExactly("a/t -> n");
    }

    @Test
    void exitCode_unlisted_failsAtOnce(ClusterUnderTest cluster) {
        ready(cluster, TASK.withRetries(new Retries(3, Duration.ZERO, 1, List.of(75))))
                .fail("a/t");

        assertThat(ended(cluster).detail()).isEqualTo("not retried: exitcodes does not list it");
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.FAILED);
    }

    @Test
    void timeout_exitCodesGiven_failsAtOnce(ClusterUnderTest cluster) {
        ready(
                cluster,
                TASK.withAttempts(0, Duration.ofMinutes(1)).withRetries(new Retries(3, Duration.ZERO, 1, List.of(75))));
        cluster.advance(Duration.ofMinutes(1)).cycle();
        cluster.fail("a/t", 75);

        assertThat(cluster.state("a")).isEqualTo(ApplicationState.FAILED);
    }

    @Test
    void delay_manyRetries_isBounded() {
        assertThat(DELAYED.delayBefore(1)).isEqualTo(DELAY);
        assertThat(DELAYED.delayBefore(3)).isEqualTo(DELAY.multipliedBy(4));
        assertThat(DELAYED.delayBefore(Integer.MAX_VALUE)).isEqualTo(Retries.DELAY_MAX);
        assertThat(new Retries(1, Duration.ofNanos(1), 1, List.of()).delayBefore(9))
                .isEqualTo(Duration.ofNanos(1));
    }

    @Test
    void retries_valueWithoutEffect_isRejected() {
        assertThatThrownBy(() -> new Retries(0, DELAY, 1, List.of())).hasMessageContaining("without retries");
        assertThatThrownBy(() -> new Retries(1, Duration.ZERO, 2, List.of())).hasMessageContaining("without a delay");
        assertThatThrownBy(() -> new Retries(1, DELAY, 0.5, List.of())).hasMessageContaining("backoff");
        assertThatThrownBy(() -> new Retries(1, DELAY, 1, List.of(0))).hasMessageContaining("exit codes");
        assertThatThrownBy(() -> new Retries(1, Duration.ofDays(2), 1, List.of()))
                .hasMessageContaining("delay");
    }
}
