package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Expected durations of tasks, predicted from previous runs. */
@ExtendWith(SchedulerExtension.class)
class DurationTest {

    private static final Resources CORE = Resources.parse("vcore", "1");
    private static final TaskSpec TASK = TaskSpec.single("t", CORE);

    @Test
    void expectedDuration_ofSimilarTasks_isMeanOfRuns(ClusterUnderTest cluster) {
        ready(cluster);
        run(cluster, "one", TASK, Duration.ofSeconds(10));
        run(cluster, "two", TASK, Duration.ofSeconds(20));
        run(cluster, "three", TASK, Duration.ofMillis(1500));

        submit(cluster, "next", TASK);

        assertThat(expected(cluster, "next")).isEqualTo(Duration.ofMillis(10_500));
    }

    @Test
    void tasks_ofOneGroup_shareDurationHistory(ClusterUnderTest cluster) {
        ready(cluster);
        submit(cluster, "one", TaskSpec.of("t", 3, CORE)).cycle();
        cluster.startAll();
        for (int i = 0; i < 3; i++) {
            cluster.advance(Duration.ofSeconds(10)).succeed("one/t-" + i);
        }

        submit(cluster, "next", TaskSpec.of("t", 7, CORE));

        assertThat(expected(cluster, "next")).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void expectedDuration_specified_overridesHistory(ClusterUnderTest cluster) {
        ready(cluster);
        run(cluster, "one", TASK, Duration.ofSeconds(10));

        submit(cluster, "next", TASK.withExpectedDuration(Duration.ofSeconds(3)));

        assertThat(expected(cluster, "next")).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void expectedDuration_ofExistingTasks_isFixed(ClusterUnderTest cluster) {
        ready(cluster);
        run(cluster, "one", TASK, Duration.ofSeconds(10));
        submit(cluster, "next", TASK);

        run(cluster, "two", TASK.withPriority(1), Duration.ofSeconds(30));

        assertThat(expected(cluster, "next")).isEqualTo(Duration.ofSeconds(10));
        cluster.submit(ApplicationSpec.open("last", null).withName("nightly")).add("last", TASK);
        assertThat(expected(cluster, "last")).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void expectedDuration_fromHistory_ordersTasks(ClusterUnderTest cluster) {
        ready(cluster);
        run(cluster, "one", TaskSpec.single("short", CORE), Duration.ofSeconds(10));
        run(cluster, "two", TaskSpec.single("long", CORE), Duration.ofSeconds(30));

        submit(
                cluster,
                "next",
                TaskSpec.single("new", CORE),
                TaskSpec.single("short", CORE),
                TaskSpec.single("said", CORE).withExpectedDuration(Duration.ofSeconds(20)),
                TaskSpec.single("long", CORE));

        assertThat(cluster.cycle())
                .containsExactly("next/long -> n", "next/said -> n", "next/short -> n", "next/new -> n");
    }

    @Test
    void history_ofOtherApplicationName_isIgnored(ClusterUnderTest cluster) {
        ready(cluster);
        run(cluster, "one", TASK, Duration.ofSeconds(10));

        cluster.submit("alone", null, TASK);

        assertThat(expected(cluster, "alone")).isEqualTo(Duration.ZERO);
    }

    @Test
    void durationKey_acrossApplications_sharesHistory(ClusterUnderTest cluster) {
        ready(cluster);
        run(cluster, "one", TaskSpec.single("x", CORE).withDurationKey("compile"), Duration.ofSeconds(10));

        cluster.submit("alone", null, TASK.withDurationKey("compile"));

        assertThat(expected(cluster, "alone")).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void run_stoppedByTimeout_isRecorded(ClusterUnderTest cluster) {
        ready(cluster);
        submit(cluster, "one", TASK.withAttempts(0, Duration.ofSeconds(10))).cycle();
        cluster.startAll().advance(Duration.ofSeconds(12)).cycle();
        cluster.advance(Duration.ofSeconds(1)).fail("one/t");

        submit(cluster, "next", TASK);

        assertThat(expected(cluster, "next")).isEqualTo(Duration.ofSeconds(13));
    }

    @Test
    void runs_failedLostOrStopped_areNotRecorded(ClusterUnderTest cluster) {
        ready(cluster);
        submit(cluster, "one", TaskSpec.of("t", 3, CORE)).cycle();
        cluster.startAll().advance(Duration.ofSeconds(10));

        cluster.fail("one/t-0").lose("one/t-1").stop("one/t-2").fail("one/t-2");

        assertThat(cluster.partition().durations().size()).isZero();
    }

    @Test
    void run_withoutStartReport_isNotRecorded(ClusterUnderTest cluster) {
        ready(cluster);
        submit(cluster, "one", TASK).cycle();
        cluster.advance(Duration.ofSeconds(10)).succeed("one/t");

        assertThat(cluster.partition().durations().size()).isZero();
    }

    private static ClusterUnderTest ready(ClusterUnderTest cluster) {
        return cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "8");
    }

    private static ClusterUnderTest submit(ClusterUnderTest cluster, String id, TaskSpec... tasks) {
        return cluster.submit(ApplicationSpec.sealed(id, null, tasks).withName("nightly"));
    }

    /** Runs one task to success; other pending tasks may be placed but do not start. */
    private static void run(ClusterUnderTest cluster, String id, TaskSpec task, Duration duration) {
        submit(cluster, id, task).cycle();
        String name = id + "/" + task.name();
        cluster.start(name).advance(duration).succeed(name);
    }

    private static Duration expected(ClusterUnderTest cluster, String application) {
        TaskGroup group = cluster.application(application).group("t");
        return Objects.requireNonNull(group).expectedDuration();
    }
}
