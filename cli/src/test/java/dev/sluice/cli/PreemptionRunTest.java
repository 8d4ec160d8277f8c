package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Program.ProgramResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Preemption of real processes, by the packaged program. */
@ProgramTest
@Timeout(180)
final class PreemptionRunTest {

    @TempDir
    Path directory;

    /**
     * Two scans use both cores until the report has run. The process of one of them is ended for it, and runs again
     * after the report. The task {@code both} waits for the processes of the scans.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "guarantee | root.research | root.production | 0",
                "priority  | root.office   | root.office     | 10",
            })
    void victim_isEnded_andRunsAgainAfterBeneficiary(
            String reason, String queueOfScans, String queueOfReport, int priority) throws Exception {
        ProgramResult answer =
                JobRuns.run(directory, """
                nodes: [{name: n, capacity: {vcore: 2}}]
                partitions:
                  - name: default
                    queues:
                      - name: root
                        properties: {preemption.delay: 1ms}
                        queues:
                          - {name: production, resources: {guaranteed: {vcore: 1}}}
                          - {name: research}
                          - {name: office, properties: {preemption.priority: enabled}}
                applications:
                  - id: scans
                    queue: %s
                    tasks:
                      - id: s
                        count: 2
                        resources: {vcore: 1}
                        timeout: 2m
                        command: |
                          trap 'echo "end of scan" >>order; exit 143' TERM
                          touch "scan-$SLUICE_TASK_INDEX"
                          echo scan >>order
                          until [ -e reported ]; do sleep 0.05; done
                          echo "whole scan" >>order
                  - id: report
                    queue: %s
                    tasks:
                      - id: both
                        priority: %d
                        resources: {vcore: 0}
                        timeout: 2m
                        command: until [ -e scan-0 ] && [ -e scan-1 ]; do sleep 0.05; done
                      - id: r
                        priority: %d
                        after: {both: succeeded}
                        resources: {vcore: 1}
                        command: echo report >>order; touch reported
                """.formatted(queueOfScans, queueOfReport, priority, priority), "-o", "json");

        assertThat(answer.exitCode()).as(answer.err()).isZero();
        assertThat(answer.err())
                .containsOnlyOnce("preempted")
                .containsPattern("scans  task s-[01] preempted \\(" + reason + "\\) for report/r\n");
        List<String> order = Files.readAllLines(directory.resolve("order"));
        assertThat(order.subList(0, 4)).containsExactly("scan", "scan", "end of scan", "report");
        assertThat(order.subList(4, order.size())).containsExactlyInAnyOrder("scan", "whole scan", "whole scan");
        JsonNode scans = JobRuns.application(answer, "scans");
        assertThat(scans.get("state").asString()).isEqualTo("Completed");
        assertThat(scans.get("succeeded").asInt()).isEqualTo(2);
        assertThat(JobRuns.application(answer, "report").get("succeeded").asInt())
                .isEqualTo(2);
    }
}
