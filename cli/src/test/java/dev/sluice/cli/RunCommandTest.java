package dev.sluice.cli;

import static dev.sluice.cli.Program.example;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Program.ProgramResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Runs job files with the packaged program and real task processes. */
@ProgramTest
final class RunCommandTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path directory;

    @Test
    void quickstart_runs() throws Exception {
        ProgramResult answer = Program.run(directory, "run", example("quickstart.yaml"));

        assertThat(answer.exitCode()).as(answer.err()).isZero();
        assertThat(answer.out())
                .containsPattern("(?m)^APPLICATION +STATE +TASKS +WAITED +RAN +EXIT CODES$")
                .containsPattern("(?m)^daily-report +Completed +6/6 .* 0 ×6$")
                .containsPattern("(?m)^parameter-sweep +Completed +12/12 ")
                .containsPattern("(?m)^urgent-check +Completed +1/1 .* 0, 1$")
                .containsPattern("(?m)^Logs: \\.sluice/logs/[-0-9_]+-quickstart$");
        assertThat(answer.err()).contains("urgent-check  task check failed: exit code 1; will be retried");
        assertThat(answer.out() + answer.err()).doesNotContain("\u001b");
    }

    @Test
    void applications_ofOneFile_startInItsOrder() throws Exception {
        ProgramResult answer = JobRuns.run(directory, """
                nodes: [{name: n, capacity: {vcore: 1}}]
                applications:
                  - {id: z, tasks: [{id: t, resources: {vcore: 1}, command: echo z >> order}]}
                  - {id: x-10, tasks: [{id: t, resources: {vcore: 1}, command: echo x-10 >> order}]}
                  - {id: x-2, tasks: [{id: t, resources: {vcore: 1}, command: echo x-2 >> order}]}
                  - {id: a, tasks: [{id: t, resources: {vcore: 1}, command: echo a >> order}]}
                """);

        assertThat(answer.exitCode()).as(answer.err()).isZero();
        assertThat(Files.readAllLines(directory.resolve("order"))).containsExactly("z", "x-10", "x-2", "a");
    }

    @Test
    void taskWithImage_isRefused() throws Exception {
        ProgramResult answer = JobRuns.run(directory, "tasks: [{id: t, image: python:3.13, command: touch made}]");

        assertThat(answer.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(answer.err())
                .contains(
                        "task t has an image, but here tasks are processes, not containers: remove image, or submit it"
                                + " to a server with --kubernetes");
        assertThat(directory.resolve("made")).doesNotExist();
    }

    @Test
    void run_ended_isNotified() throws Exception {
        ProgramResult answer = JobRuns.run(
                directory, """
                applications:
                - {id: good, tasks: [{id: t, command: 'true'}]}
                - {id: bad, tasks: [{id: t, count: 2, command: 'exit 3'}]}
                """, "-q", "--notify-command", "cat >summary; echo $SLUICE_STATE $SLUICE_LOGS >state");

        assertThat(answer.exitCode()).isEqualTo(ExitCode.FAILED);
        JsonNode summary = JSON.readTree(Files.readString(directory.resolve("summary")));
        assertThat(summary.get("notification").asString()).isEqualTo("run-ended");
        assertThat(summary.get("state").asString()).isEqualTo("failed");
        assertThat(summary.at("/applications/0").toString())
                .isEqualTo("{\"application\":\"good\",\"queue\":\"root.default\",\"state\":\"Completed\",\"reason\":"
                        + "\"\",\"tasks\":1,\"succeeded\":1,\"failed\":0,\"stopped\":0}");
        assertThat(summary.at("/applications/1/failed").asInt()).isEqualTo(2);
        assertThat(directory.resolve("state"))
                .hasContent("failed " + summary.get("logs").asString() + "\n");
    }

    @Test
    void task_withPlaceInputAndUmask_getsThem() throws Exception {
        Files.createDirectory(directory.resolve("sub"));
        Files.writeString(directory.resolve("sub/in"), "input");
        ProgramResult answer = JobRuns.run(directory, """
                tasks:
                - id: t
                  directory: sub
                  stdin: in
                  umask: "077"
                  shell: [sh, -e, -c]
                  command: |
                    cat >out
                    echo " $A" >>out
                    false
                    echo no >>out
                """, "--export", "A=b,c");

        assertThat(answer.exitCode()).as(answer.err()).isEqualTo(1);
        assertThat(directory.resolve("sub/out")).hasContent("input b,c");
        assertThat(Files.getPosixFilePermissions(directory.resolve("sub/out")))
                .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    }

    /** land has five of eight workers, diff two and sandbox one; land only builds at first and has tests later. */
    @Test
    @Tag("slow")
    void ciFarm_lendsIdleWorkersAndReclaimsThem() throws Exception {
        ProgramResult answer = Program.run(directory, "run", example("ci-farm.yaml"));

        assertThat(answer.exitCode()).as(answer.err()).isZero();
        assertThat(answer.err())
                .containsSubsequence(
                        "root.sandbox  borrows 3 workers: 4 running, entitled to 1",
                        "root.sandbox  returned its loans: 1 running, entitled to 1",
                        "flaky-hunt  completed");
        assertThat(answer.out())
                .contains("CLASS         LOAD %  ENTITLEMENT  STARTED  PEAK  PEAK LOANED  PREEMPTED\n")
                .containsPattern("(?m)^root.land +60 +5 +27 +[5-8] +[-1-3] +-$")
                .containsPattern("(?m)^root.diff +25 +2 +14 +[2-8] +[-1-6] +-$")
                .containsPattern("(?m)^root.sandbox +15 +1 +60 +[4-8] +[3-7] +-$");
    }

    @Test
    void classes_asJson_sayWhatTheyBorrowed() throws Exception {
        ProgramResult answer = JobRuns.run(directory, """
                partitions:
                  - name: default
                    queues:
                      - name: root
                        properties: {queue.share.policy: load}
                        queues:
                          - {name: land, properties: {load.percent: '50'}}
                          - {name: diff, properties: {load.percent: '50'}}
                nodes: [{name: w, count: 4, capacity: {slots: 1}}]
                applications: [{id: a, queue: root.diff, tasks: [{id: t, count: 3, command: sleep 0.5}]}]
                """, "-o", "json", "-q");

        assertThat(JSON.readTree(answer.out()).get("classes"))
                .hasToString("[{\"partition\":\"default\",\"path\":\"root.land\",\"percent\":50,\"entitlement\":2,"
                        + "\"started\":0,\"peakRunning\":0,\"peakLoaned\":0,\"preempted\":0},"
                        + "{\"partition\":\"default\",\"path\":\"root.diff\",\"percent\":50,\"entitlement\":2,"
                        + "\"started\":3,\"peakRunning\":3,\"peakLoaned\":1,\"preempted\":0}]");
    }

    /** A task must not start before the task it replaces has ended; otherwise more than four would run at once. */
    @Test
    @Tag("slow")
    void classes_spreadTooLong_areRebalanced() throws Exception {
        ProgramResult answer = JobRuns.run(directory, """
                partitions:
                  - name: default
                    queues:
                      - name: root
                        properties:
                          queue.share.policy: load
                          load.rebalance.threshold: '20'
                          load.rebalance.minimumduration: 500ms
                        queues:
                          - {name: land, properties: {load.percent: '75'}}
                          - {name: sandbox, properties: {load.percent: '25'}}
                nodes: [{name: w, count: 4, capacity: {slots: 1}}]
                applications:
                  - id: l
                    queue: root.land
                    tasks:
                      - {id: build, command: sleep 0.2}
                      - id: test
                        count: 3
                        after: {build: succeeded}
                        command: |
                          mkdir "$SLUICE_RUN_DIRECTORY/runs-land-$SLUICE_TASK_INDEX"
                          test "$(ls -d "$SLUICE_RUN_DIRECTORY"/runs-* | wc -l)" -le 4 && sleep 1.5
                          status=$?
                          rmdir "$SLUICE_RUN_DIRECTORY/runs-land-$SLUICE_TASK_INDEX"
                          exit $status
                  - id: s
                    queue: root.sandbox
                    tasks:
                      - id: try
                        count: 3
                        command: |
                          mkdir "$SLUICE_RUN_DIRECTORY/runs-$SLUICE_TASK_INDEX"
                          trap 'sleep 0.3; rmdir "$SLUICE_RUN_DIRECTORY/runs-$SLUICE_TASK_INDEX"; exit 1' TERM
                          sleep 3 & wait
                          rmdir "$SLUICE_RUN_DIRECTORY/runs-$SLUICE_TASK_INDEX"
                """, "-o", "json", "-q");

        JsonNode result = JSON.readTree(answer.out());
        assertThat(answer.exitCode()).as(answer.out()).isZero();
        assertThat(result.get("classes").get(1).get("preempted").asInt()).isEqualTo(2);
        assertThat(result.get("classes").get(1).get("started").asInt()).isEqualTo(5);
    }

    /** All groups have the same work; physics has the best factor but the most past usage, so it catches up last. */
    @Test
    @Tag("slow")
    void research_groupWithMostUsage_waitsLongest() throws Exception {
        ProgramResult answer = Program.run(directory, "run", "-o", "json", "-q", example("research.yaml"));

        assertThat(answer.exitCode()).as(answer.out()).isZero();
        long detector =
                JobRuns.application(answer, "detector").get("waitedMillis").asLong();
        String end = JobRuns.application(answer, "detector").get("ended").asString();
        for (String other : List.of("genomes", "proteins", "exercise-1", "exercise-2")) {
            assertThat(JobRuns.application(answer, other).get("waitedMillis").asLong())
                    .as(other)
                    .isLessThan(detector);
            assertThat(Instant.parse(
                            JobRuns.application(answer, other).get("ended").asString()))
                    .as(other)
                    .isBefore(Instant.parse(end));
        }
    }

    @Test
    void usagePriority_withoutEffect_warns() throws Exception {
        ProgramResult answer = JobRuns.run(directory, """
                partitions:
                  - name: default
                    placementrules: [{name: user, create: true}]
                    queues: [{name: root, properties: {queue.share.policy: usage}, queues: [{name: a, queues: [{name: b}]}]}]
                queues:
                  - {path: root, usagepriority: 1}
                  - {path: root.a.b, usagepriority: 1}
                  - {path: root.never-made, usagepriority: 1}
                tasks: [{id: t, command: 'true'}]
                """, "-q");

        assertThat(answer.exitCode()).as(answer.err()).isZero();
        String warning = "warning: usagepriority has no effect: the parent queue does not have share policy usage";
        assertThat(answer.err().lines().filter(line -> line.contains("warning:")))
                .hasSize(2)
                .allMatch(line -> line.endsWith(warning));
    }

    @Test
    @Tag("slow")
    void drivers_understateaware_complete() throws Exception {
        ProgramResult answer = Program.run(directory, "run", "-o", "json", "-q", example("drivers.yaml"));

        assertThat(answer.exitCode()).as(answer.out()).isZero();
        assertThat(answer.err()).isEmpty();
        ProgramResult same = Program.run(
                directory, "run", "-q", example("drivers.yaml"), "--config", example("queues-batch-stateaware.yaml"));
        assertThat(same.exitCode()).as(same.out()).isZero();
    }

    @Test
    @Tag("slow")
    void drivers_underfifo_waitForExecutorsThatNeverStart() throws Exception {
        ProgramResult answer = Program.run(
                directory, "run", "-o", "json", example("drivers.yaml"), "--config", example("queues-batch-fifo.yaml"));

        assertThat(answer.exitCode()).isEqualTo(1);
        assertThat(JobRuns.application(answer, "app-1").get("state").asString()).isEqualTo("Failed");
        assertThat(JobRuns.application(answer, "app-1")
                        .at("/firstFailure/detail")
                        .asString())
                .startsWith("timed out");
        assertThat(JobRuns.application(answer, "app-6").get("state").asString()).isEqualTo("Completed");
    }

    @Test
    void failure_showsTheEndOfItsLog() throws Exception {
        ProgramResult answer = JobRuns.run(directory, """
                applications:
                  - {id: good, tasks: [{id: t, command: "true"}]}
                  - {id: bad, tasks: [{id: t, count: 2, command: "seq 20; echo the reason >&2; exit 3"}]}
                """, "--logs", "logs");

        assertThat(answer.exitCode()).isEqualTo(1);
        assertThat(answer.out())
                .containsPattern("(?m)^bad +Failed +0/2 .* 3 ×2 +bad/t-[01]\\.log$")
                .containsPattern("bad: task t-[01] failed: exit code 3\n  logs/bad/t-[01].log\n")
                .doesNotContain("│");
        assertThat(answer.err())
                .contains("bad  task t-0 failed: exit code 3\n", "bad  task t-1 failed: exit code 3\n")
                .contains("  │ 20\n  │ the reason\n")
                .doesNotContain("│ 1\n");
        assertThat(Files.readString(directory.resolve("logs/bad/t-1.log"))).endsWith("20\nthe reason\n");
    }

    @Test
    void failure_quiet_resultShowsTheEndOfItsLog() throws Exception {
        ProgramResult answer = JobRuns.run(directory, """
                id: bad
                tasks: [{id: t, command: "seq 20; echo the reason >&2; exit 3"}]
                """, "-q");

        assertThat(answer.out()).contains("  │ 20\n  │ the reason\n").doesNotContain("│ 1\n");
        assertThat(answer.err()).isEmpty();
    }

    @Test
    void failFast_stopsOtherApplications_exits1() throws Exception {
        ProgramResult answer = JobRuns.run(directory, """
                applications:
                  - {id: slow, tasks: [{id: t, command: "sleep 600"}]}
                  - {id: bad, tasks: [{id: t, command: "echo reason; exit 3"}]}
                """, "--slots", "2", "--fail-fast", "--failure-lines", "0");

        assertThat(answer.exitCode()).as(answer.err()).isEqualTo(1);
        assertThat(answer.err())
                .contains("slow  failed: stopped because bad/t failed")
                .contains("run failed tasks again with: sluice run --resume-failed")
                .doesNotContain("│ reason");
        assertThat(answer.out()).doesNotContain("│ reason");
    }

    @Test
    void taskOutput_isAloneOnStandardOutput() throws Exception {
        String jobs = """
                applications:
                  - id: a
                    tasks:
                      - {id: first, command: "echo out; echo err >&2; printf end"}
                      - {id: second, after: {first: succeeded}, retries: 1, command: "echo $SLUICE_ATTEMPT; exit 1"}
                """;
        ProgramResult grouped = JobRuns.run(directory, jobs, "--task-output", "group");
        ProgramResult prefixed = JobRuns.run(directory, jobs, "--task-output", "prefix");

        assertThat(grouped.out()).isEqualTo("out\nerr\nend\n1\n2\n");
        assertThat(grouped.err()).containsPattern("(?m)^a +Failed +1/2 ");
        assertThat(prefixed.out())
                .isEqualTo("a/first | out\na/first | err\na/first | end\na/second | 1\na/second | 2\n");
    }

    /** The log is larger than the buffer of a pipe. */
    @Test
    void taskOutput_closedPipe_runContinues() throws Exception {
        Files.writeString(directory.resolve("jobs.yaml"), """
                applications:
                  - {id: a, tasks: [{id: t, count: 2, command: "seq 200000; touch ended-$SLUICE_TASK_INDEX"}]}
                """);
        Process process = PackagedProgram.process("run", "jobs.yaml", "--slots", "1", "--task-output", "group")
                .directory(directory.toFile())
                .redirectError(directory.resolve("err").toFile())
                .start();
        process.getInputStream().close();

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(directory.resolve("ended-1")).exists();
        assertThat(Files.readString(directory.resolve("err"))).containsOnlyOnce("standard output is closed");
    }

    @Test
    void json_isOneObjectOnStandardOutput() throws Exception {
        ProgramResult answer = JobRuns.run(
                directory, "tasks: [{id: t, count: 3, command: [sh, -c, 'echo $SLUICE_TASK; exit 0']}]", "-o", "json");

        JsonNode result = JSON.readTree(answer.out());
        assertThat(result.propertyNames())
                .containsExactly("success", "interrupted", "logs", "unschedulable", "applications", "classes");
        assertThat(result.get("classes").size()).isZero();
        assertThat(JobRuns.application(answer, "jobs").get("exitCodes")).hasToString("{\"0\":3}");
        assertThat(JobRuns.application(answer, "jobs").get("results").size()).isEqualTo(3);
        assertThat(JobRuns.application(answer, "jobs").get("user").asString())
                .isEqualTo(System.getProperty("user.name"));
        assertThat(answer.err()).contains("jobs  completed, 3 of 3 tasks");
        Path log = directory.resolve(
                JobRuns.application(answer, "jobs").at("/results/0/log").asString());
        assertThat(Files.readString(log)).startsWith("t-");
    }

    @Test
    void input_wrong_exits2AndNothingIsStarted() throws Exception {
        ProgramResult answer = JobRuns.run(
                directory, "tasks:\n  - {id: t, command: touch started}\n  - {id: u, comand: touch started}\n");

        assertThat(answer.exitCode()).isEqualTo(2);
        assertThat(answer.out()).isEmpty();
        assertThat(answer.err()).contains("jobs.yaml:3:13: error:").contains("command");
        assertThat(JobRuns.run(directory, "tasks: [{id: t, command: touch started}]", "--slots", "-1")
                        .exitCode())
                .isEqualTo(2);
        assertThat(JobRuns.run(directory, "tasks: [{id: t, command: touch started}]", "--config", "none.yaml")
                        .exitCode())
                .isEqualTo(2);
        assertThat(JobRuns.run(directory, "tasks: [{id: t, command: touch started}]", "--grace", "soon")
                        .err())
                .contains("--grace")
                .doesNotContain("\tat ");
        String twoPartitions = """
                partitions: [{name: default, queues: [{name: root, queues: [{name: a}]}]}, {name: other, queues: []}]
                applications: [{id: x, queue: root.a, tasks: [{id: t, command: touch started}]}]
                """;
        assertThat(JobRuns.run(directory, twoPartitions).err()).contains("2 partitions and no nodes");
        assertThat(directory.resolve("started")).doesNotExist();
    }

    @Test
    void taskThatFitsNowhere_endsRunWithReason() throws Exception {
        ProgramResult answer = JobRuns.run(directory, "tasks: [{id: t, resources: {vcore: 100000}, command: 'true'}]");

        assertThat(answer.exitCode()).isEqualTo(1);
        assertThat(answer.out())
                .contains("No further progress possible:")
                .contains("  jobs: t cannot start: insufficient vcore on the only node; too large for it");
    }

    @Test
    void dryRun_showsWhatStartsWaitsAndNeverRuns() throws Exception {
        String jobs = """
                nodes: [{name: n, capacity: {slots: 2, vcore: 4}}]
                applications:
                  - {id: a, tasks: [{id: t, count: 3, command: touch started}, {id: u, after: {t: started}, command: ls}]}
                  - {id: big, tasks: [{id: t, resources: {vcore: 5}, command: touch started}]}
                """;
        ProgramResult answer = JobRuns.run(directory, jobs, "--dry-run");

        assertThat(answer.exitCode()).as(answer.err()).isZero();
        assertThat(answer.err())
                .contains("jobs.yaml:4:50: warning: no node is large enough for the 5 of vcore that this task requests:"
                        + " the largest has 4");
        assertThat(answer.out())
                .containsPattern("Start: 2 tasks\n +TASK.*\n +t-0 +a +root.default +n\n")
                .containsPattern("Waiting: 2 tasks\n.*\n +1 +a +no-node-fits .*\n +1 +a +after-task +depends on t")
                .containsPattern(
                        "Never, unless nodes or queues change: 1 task\n.*\n +1 +big +no-node-fits +.*too large");
        JsonNode json = JSON.readTree(
                JobRuns.run(directory, jobs, "--dry-run", "-o", "json").out());
        assertThat(json.at("/start").size()).isEqualTo(2);
        assertThat(json.at("/waiting/2/never").asBoolean()).isTrue();
        assertThat(json.at("/waiting/0/never").asBoolean()).isFalse();
        ProgramResult strict = JobRuns.run(directory, jobs, "--strict");
        assertThat(strict.exitCode()).isEqualTo(2);
        assertThat(strict.err()).endsWith("sluice: nothing started because of warnings (--strict)\n");
        assertThat(directory.resolve("started")).doesNotExist();
        assertThat(directory.resolve(".sluice")).doesNotExist();
    }

    @Test
    @Tag("slow")
    void slots_limitHowManyTasksRun() throws Exception {
        ProgramResult answer = JobRuns.run(
                directory,
                "tasks: [{id: t, count: 6, command: 'mkdir one && sleep 0.1 && rmdir one'}]",
                "--slots",
                "1",
                "-q");

        assertThat(answer.exitCode()).as(answer.out()).isZero();
    }

    @Test
    void task_withUnknownResourceType_isRefused() throws Exception {
        ProgramResult here =
                JobRuns.run(directory, "tasks: [{id: t, resources: {cpu: 0.5, gpu: 1}, command: 'true'}]\n");

        assertThat(here.exitCode()).isEqualTo(2);
        assertThat(here.err())
                .contains(":1:44: error: no node has the resource type \"gpu\" that this task requests")
                .contains("expected one of memory and vcore");
        ProgramResult there = JobRuns.run(directory, """
                nodes: [{name: n, capacity: {vcore: 1, gpu: 1}}]
                tasks: [{id: t, resources: {cpu: 0.5, gpu: 1}, command: 'true'}]
                """, "-q");
        assertThat(there.exitCode()).as(there.err()).isZero();
    }
}
