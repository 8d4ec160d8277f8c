package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Program.ProgramResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Gangs of real processes, run by the packaged program. */
@ProgramTest
@Timeout(180)
final class GangRunTest {

    @TempDir
    Path directory;

    /**
     * While the gang of two runs, two members of the gang of three would fit, but none of them starts: the single task
     * behind it does, and only then the gang of two ends. The members of each gang wait for each other.
     */
    @Test
    void gangs_onFourCores_startWholeOrNotAtAll() throws Exception {
        ProgramResult answer = JobRuns.run(directory, """
                nodes: [{name: n, capacity: {vcore: 4}}]
                applications:
                  - id: two
                    gang: {tasks: {w: 2}}
                    tasks:
                      - id: w
                        count: 2
                        resources: {vcore: 1}
                        timeout: 2m
                        command: |
                          echo two >>order
                          touch "two-$SLUICE_TASK_INDEX"
                          until [ -e two-0 ] && [ -e two-1 ] && [ -e single ]; do sleep 0.05; done
                          echo "end of two" >>order
                  - id: three
                    gang: {tasks: {w: 3}}
                    tasks:
                      - id: w
                        count: 3
                        resources: {vcore: 1}
                        timeout: 2m
                        command: |
                          echo three >>order
                          touch "three-$SLUICE_TASK_INDEX"
                          until [ -e three-0 ] && [ -e three-1 ] && [ -e three-2 ]; do sleep 0.05; done
                  - {id: single, tasks: [{id: t, resources: {vcore: 1}, command: echo single >>order; touch single}]}
                """, "-o", "json");

        assertThat(answer.exitCode()).as(answer.err()).isZero();
        List<String> order = Files.readAllLines(directory.resolve("order"));
        assertThat(order).hasSize(8);
        assertThat(order.subList(0, 3)).containsExactlyInAnyOrder("two", "two", "single");
        assertThat(order.get(3)).isEqualTo("end of two");
        assertThat(Collections.frequency(order, "three")).isEqualTo(3);
        assertThat(JobRuns.application(answer, "three").get("succeeded").asInt())
                .isEqualTo(3);
    }

    /** The task {@code busy} ends when the application of the gang has failed. */
    @Test
    void hardGang_notStartedInTime_failsWithReason() throws Exception {
        ProgramResult answer = JobRuns.run(directory, """
                nodes: [{name: n, capacity: {vcore: 4}}]
                applications:
                  - id: busy
                    tasks:
                      - id: t
                        count: 2
                        resources: {vcore: 1}
                        timeout: 2m
                        command: until [ -e failed ]; do sleep 0.05; done
                  - id: hard
                    gang: {tasks: {w: 3}, style: hard, timeout: 1s}
                    tasks: [{id: w, count: 3, resources: {vcore: 1}, command: touch started}]
                  - {id: next, after: {hard: failed}, tasks: [{id: t, resources: {vcore: 1}, command: touch failed}]}
                """, "-o", "json");

        assertThat(answer.exitCode()).as(answer.err()).isEqualTo(ExitCode.FAILED);
        JsonNode hard = JobRuns.application(answer, "hard");
        assertThat(hard.get("state").asString()).isEqualTo("Failed");
        assertThat(hard.get("reason").asString()).contains("gang did not start within 1s");
        assertThat(directory.resolve("started")).doesNotExist();
        assertThat(JobRuns.application(answer, "busy").get("state").asString()).isEqualTo("Completed");
    }
}
