package dev.sluice.config.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problem;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class JobWorkloadReaderTest {

    private static ParseResult<JobWorkload> read(String text) {
        return JobFileReader.readWorkload("jobs/nightly.yaml", text);
    }

    private static void check(String text, String... expected) {
        assertThat(JobFileReader.readWorkload("j", text).report()).isEqualTo(String.join("\n", expected));
    }

    @Test
    void workload_ofJobFile_hasDurations() {
        JobWorkload workload = read("""
                        at: 2026-01-05T08:00:00Z
                        seed: 7
                        applications:
                          - id: build
                            user: ada
                            tasks:
                              - {id: compile, duration: 5m, command: make, resources: {vcore: 2}}
                              - {id: test, count: 3, duration: 90s, after: {compile: succeeded}}
                        """).value();

        assertThat(workload.seed()).isEqualTo(7);
        assertThat(workload.partitions()).isEmpty();
        assertThat(workload.nodes()).isEmpty();
        assertThat(workload.submissions()).singleElement().satisfies(submission -> {
            assertThat(submission.size()).isEqualTo(1);
            assertThat(submission.instant(0)).isEqualTo(Instant.parse("2026-01-05T08:00:00Z"));
            assertThat(submission.durations()).containsExactly(Duration.ofMinutes(5), Duration.ofSeconds(90));
            assertThat(submission.spec(0).id()).isEqualTo("build");
            assertThat(submission.spec(0).sealed()).isTrue();
        });
    }

    @Test
    void workload_ofTasksOnly_isApplicationNamedAfterFile() {
        assertThat(read("tasks: [{id: a, duration: 1s}]").value().submissions())
                .extracting(submission -> submission.spec(0).id())
                .containsExactly("nightly");
    }

    @Test
    void duration_missing_isReported() {
        String missing = "a simulated task needs a duration, such as duration: 5m";
        check("tasks: [{id: a}]", "j:1:9: " + missing);
        check("tasks: [{id: a, command: make}]", "j:1:9: " + missing);
        check("tasks: [{id: a, duration: }]", "j:1:26: " + missing);
        check("tasks: [{id: a, duration: 5}]", "j:1:27: \"5\" has no unit: write 5s for seconds or 5m for minutes");
        check("tasks: []", "j:1:1: this application has no tasks: add tasks: with a list of tasks with durations");
        check(
                "user: x",
                "j:1:1: nothing to simulate: add tasks: with a list of tasks with durations",
                "j:1:7: user belongs to an application: move it there");
        check("applications: []", "j:1:15: nothing to simulate: this list is empty");
    }

    @Test
    void submitted_isInstantOrDurationAfterStart() {
        JobWorkload workload = read("""
                        at: 2026-01-05T08:00:00Z
                        applications:
                          - {id: a, submitted: 90m, tasks: [{id: t, duration: 1s}]}
                          - {id: b, submitted: 2026-01-05T23:00:00Z, tasks: [{id: t, duration: 1s}]}
                          - {id: c, tasks: [{id: t, duration: 1s}]}
                        """).value();

        assertThat(workload.submissions())
                .extracting(submission -> submission.instant(0))
                .containsExactly(
                        Instant.parse("2026-01-05T09:30:00Z"),
                        Instant.parse("2026-01-05T23:00:00Z"),
                        Instant.parse("2026-01-05T08:00:00Z"));
        check(
                "tasks: [{id: t, duration: 1s}]\nsubmitted: soon",
                "j:2:12: \"soon\" is not a duration such as 90s, 1h30m or 2d");
        check(
                "tasks: [{id: t, duration: 1s}]\nsubmitted: 12:00",
                "j:2:12: \"12:00\" is not an instant such as 2026-01-01T12:00:00Z");
        check(
                "at: 9999-12-31T00:00:00Z\ntasks: [{id: t, duration: 1s}]\nsubmitted: 24h",
                "j:3:12: must be before year 10000");
    }

    @Test
    void everyAndTimes_repeatSubmission() {
        WorkloadSubmission submission =
                read("id: sync\nsubmitted: 1h\nevery: 10m\ntimes: 3\ntasks: [{id: t, duration: 1s}]")
                        .value()
                        .submissions()
                        .get(0);

        assertThat(submission.size()).isEqualTo(3);
        assertThat(submission.instant(2)).isEqualTo(Instant.EPOCH.plus(Duration.ofMinutes(80)));
        assertThat(submission.spec(0))
                .extracting(ApplicationSpec::id, ApplicationSpec::name)
                .containsExactly("sync-0", "sync");
        assertThat(submission.spec(2).id()).isEqualTo("sync-2");
    }

    @Test
    void everyOrTimes_invalid_isReported() {
        String tasks = "tasks: [{id: t, duration: 1s}]\n";
        check(tasks + "every: 1m", "j:2:8: every needs times, the number of submissions: add times:");
        check(tasks + "times: 3", "j:2:8: times needs every, the time between submissions: add every:");
        check(tasks + "every: 1m\ntimes: 0", "j:3:8: 0 is out of range: must be a whole number from 1 to 10000000");
        check(tasks + "every: 100000d\ntimes: 10000000", "j:3:8: the last submission must be before year 10000");
        check(
                tasks + "every: 1m\ntimes: 11\nid: " + "x".repeat(254),
                "j:3:8: the id of an application that is submitted 11 times must have at most 253 characters,"
                        + " since a number is appended: shorten it");
    }

    @Test
    void id_ofRepeatedApplication_reservesAllNumbers() {
        check("""
                applications:
                  - {id: a, every: 1m, times: 3, tasks: [{id: t, duration: 1s}]}
                  - {id: a-2, tasks: [{id: t, duration: 1s}]}
                  - {id: a-3, tasks: [{id: t, duration: 1s}]}
                """, "j:3:10: duplicate application id \"a-2\" in partition default: the first is in line 2");
    }

    @Test
    void everyAndTimes_outsideSimulation_haveNoEffect() {
        ParseResult<JobFile> run = JobFileReader.read(
                "j", "every: 1m\ntimes: 3\ntasks: [{id: a, command: x, duration: 5m}]", Instant.EPOCH);

        assertThat(run.value().applications()).hasSize(1);
        assertThat(run.warnings())
                .extracting(Problem::toString)
                .containsExactly(
                        "j:1:8: every has no effect here: it is for simulations",
                        "j:2:8: times has no effect here: it is for simulations");
    }

    @Test
    void run_ofTaskWithDurationOnly_needsCommand() {
        assertThat(JobFileReader.read("j", "tasks: [{id: a, duration: 5m}]", Instant.EPOCH)
                        .report())
                .isEqualTo("j:1:9: this task has only a duration, for sluice simulate: add command: with"
                        + " a line for the shell, or a list of a program and its arguments");
    }

    @Test
    void duration_inSnapshot_isKept() {
        Snapshot snapshot = SnapshotReader.read(
                        "s",
                        "at: 2026-01-01T00:00:00Z\n"
                                + "applications: [{id: a, queue: root.default, tasks: [{id: t, duration: 5m}]}]")
                .value();

        assertThat(snapshot.applications().get(0).tasks().get(0).duration()).isEqualTo(Duration.ofMinutes(5));
        assertThat(SnapshotWriter.yaml(snapshot)).contains("duration: 5m");
    }

    @Test
    void queues_withPartitions_areChecked() {
        assertThat(read("queue: root.anything\ntasks: [{id: a, duration: 1s}]").isOk())
                .isTrue();
        check(
                "partitions: [{queues: [{name: a}]}]\nqueue: root.b\ntasks: [{id: t, duration: 1s}]",
                "j:2:8: unknown queue \"root.b\": did you mean \"root.a\"?");
        assertThat(read("partitions: [{queues: [{name: a}]}]\nqueue: root.a\ntasks: [{id: t, duration: 1s}]")
                        .value()
                        .partitions())
                .extracting(PartitionConfiguration::name)
                .containsExactly("default");
    }

    @Test
    void nodes_withoutPartitions_areKeptAndChecked() {
        assertThat(read("nodes: [{name: n, capacity: {vcore: 1}, state: offline}]\ntasks: [{id: a, duration: 1s}]")
                        .value()
                        .nodes())
                .extracting(NodeEntry::offline)
                .containsExactly(true);
        check(
                "nodes: [{name: n, capacity: {vcore: 1}}, {name: n, capacity: {}}]\n"
                        + "tasks: [{id: a, duration: 1s, requirednode: m}]",
                "j:1:49: duplicate node name \"n\" in partition default: the first is in line 1",
                "j:2:45: unknown node \"m\" in partition default: expected n");
    }

    @Test
    void queueUsage_hasNoEffect() {
        assertThat(read("queues: [{path: root.a, usagepriority: 3}]\ntasks: [{id: a, duration: 1s}]")
                        .warnings())
                .extracting(Problem::toString)
                .containsExactly(
                        "jobs/nightly.yaml:1:9: queues has no effect here: in a simulation all queues start without"
                                + " past usage");
    }
}
