package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Program.ProgramResult;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors of {@code sluice simulate} for invalid logs, files and options. */
final class SimulateInputTest extends SimulateFixture {

    @Test
    void log_withTooManyMalformedLines_isRefused() throws Exception {
        String log = damagedLog();
        Path report = directory.resolve("report.html");

        ProgramResult answer = simulate("--workload", log, "--report", report.toString());

        assertRefused(
                answer,
                "skipped 1 of 3 lines of " + log + ": malformed",
                log + ":3:",
                "33.3 % of the lines",
                "more than --malformed-max 1 %");
        assertThat(report).doesNotExist();
    }

    @Test
    void log_withFewMalformedLines_isSimulatedWithoutThem() throws Exception {
        ProgramResult answer = simulate("-q", "-o", "json", "--workload", damagedLog(), "--malformed-max", "50");

        assertThat(answer.exitCode()).isZero();
        assertThat(answer.err()).contains("warning: skipped 1 of 3 lines");
        assertThat(JSON.readTree(answer.out()).at("/workload/applications").asInt())
                .isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0                   | the number of cores must be greater than 0: give a number of cores",
                "2:vcore=0           | node capacity must not be empty",
                "0:vcore=1           | the number of nodes must be from 1 to 10000000",
                "2:vcore=x           | \"x\" is not a quantity",
                "2:vcore=1,vcore=2   | duplicate resource vcore",
                "2:vcore=1,          | \"\" is not a resource amount",
                "2:vcore             | file not found: give a number of cores",
                "-4                  | file not found: give a number of cores",
                "99999999999999999   | file not found",
                "no-such.yaml        | file not found",
            })
    void nodes_invalid_areRefusedWithAFix(String nodes, String words) {
        assertRefused(simulate("--workload", jobs, "--nodes=" + nodes), words, "16:vcore=32,memory=128Gi");
    }

    @Test
    void nodes_inATableWithoutMapping_areRefused() throws Exception {
        String nodes = write("machines.csv", "machine,cores\nm1,2\n");

        assertRefused(
                simulate("--workload", jobs, "--nodes", nodes), "a table requires a column mapping: add --mapping");
    }

    @Test
    void nodes_missing_areRequested() throws Exception {
        String work = write("work.yaml", JOBS.replaceAll("nodes:.*\n", ""));

        assertRefused(simulate("--workload", work), "has no nodes: add --nodes");
    }

    @Test
    void nodes_invalidInTheirFile_areReportedWithPosition() throws Exception {
        String nodes = write("nodes.yaml", "nodes:\n  - {name: x, capacity: {vcore: 1x}}\n");

        assertRefused(
                simulate("--workload", jobs, "--nodes", nodes), nodes + ":2:33: error: \"1x\" has the unknown unit");
    }

    @Test
    void config_invalid_isReportedWithPositionAndFix() throws Exception {
        String config = write("wrong.yaml", """
                partitions:
                  - name: default
                    queues: [{name: root, properties: {application.sort.policy: fifoo}}]
                """);
        Path report = directory.resolve("report.html");

        ProgramResult answer =
                simulate("--workload", jobs, "--config", one, "--config", config, "--report", report.toString());

        assertRefused(answer, config + ":3:65: error: unknown sort policy \"fifoo\": did you mean \"fifo\"?");
        assertThat(report).doesNotExist();
    }

    @Test
    void workload_invalid_isReportedWithPositionAndFix() throws Exception {
        String work = write("work.yaml", "tasks:\n  - {id: t, duraton: 5m}\n");

        assertRefused(simulate("--workload", work), work + ":2:13: error: unknown key \"duraton\"", "duration");
    }

    @Test
    void mapping_wrong_isShownWithItsOwnLines() throws Exception {
        String table = write("jobs.csv", "at,took\n0,60\n");
        String mapping =
                write("mapping.yaml", "applications: {submitted: at, duration: tok, resources: {vcore: took}}\n");

        assertRefused(
                simulate("--workload", table, "--mapping", mapping, "--nodes", "4"),
                mapping + ":1:41: error: unknown column \"tok\"",
                "  1 | applications: {submitted: at");
        assertRefused(simulate("--workload", table, "--nodes", "4"), "a table needs a mapping file");
    }

    @Test
    void workload_thatIsAQueueConfiguration_isRefused() {
        assertRefused(
                simulate("--workload", one), one + " is a queue configuration, not a workload: give it with --config");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--workload", "--config", "--mapping"})
    void file_missing_isNamed(String option) throws Exception {
        String table = write("jobs.csv", "at,took\n0,60\n");
        String workload = option.equals("--mapping") ? table : jobs;

        ProgramResult answer = option.equals("--workload")
                ? simulate("--workload", "missing.yaml")
                : simulate("--workload", workload, "--nodes", "4", option, "missing.yaml");

        assertRefused(answer, "missing.yaml: error: file not found");
    }

    @Test
    void report_unwritable_isRefusedBeforeTheSimulation() {
        Path nowhere = directory.resolve("no/report.html");

        assertRefused(
                simulate("--workload", jobs, "--report", nowhere.toString()),
                "cannot write the report " + nowhere + ": folder "
                        + nowhere.resolve("..").normalize() + " not found: create it first");
        assertRefused(simulate("--workload", jobs, "--report", directory.toString()), "is a directory: give a file");
        assertRefused(simulate("--workload", jobs, "--report", one + "/x"), one + " is not a directory");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--time-scale=0                | --time-scale must be greater than 0",
                "--time-scale=NaN              | --time-scale must be greater than 0",
                "--time-scale=1e9              | at most 1000000",
                "--time-scale=x                | x\" is not a number",
                "--malformed-max=-1               | --malformed-max must be from 0 to 100",
                "--malformed-max=NaN              | --malformed-max must be from 0 to 100",
                "--until=tomorrow              | a duration after the first submission such as 7d, not tomorrow",
                "--until=99999999999d          | a duration after the first submission",
                "--until=0s                    | must be after the first submission, 2026-01-05T08:00:00Z",
                "--until=2025-01-01T00:00:00Z  | must be after the first submission",
                "--seed=x                      | x\" is not a whole number",
                "--confg=x                     | --config",
                "stray                         | stray",
            })
    void option_invalid_isRefusedWithAFix(String option, String words) {
        assertRefused(simulate("--workload", jobs, option), words);
    }

    @Test
    void workload_missing_isReportedAfterMisspelledOptions() {
        assertRefused(simulate(), "--workload FILE");
        assertRefused(simulate("--worklaod", jobs), "--worklaod", "--workload");
        assertRefused(simulate("--workload", "a\0b"), "invalid file name");
    }

    @Test
    void workload_empty_isRefused() throws Exception {
        String log = write("empty.swf", "; MaxProcs: 4\n");

        assertRefused(simulate("--workload", log), "no submissions");
    }

    @Test
    void table_missing_isReportedWithoutAskingForMapping() {
        for (String name : new String[] {"none.csv", "none.csv.gz", "none.tsv", "none", "none.yaml", "none.swf"}) {
            String missing = directory.resolve(name).toString();
            assertRefused(simulate("--workload", missing), missing + ": error: file not found");
        }
        String missing = directory.resolve("jobs.csv").toString();
        assertRefused(
                simulate(
                        "--workload",
                        missing,
                        "--mapping",
                        directory.resolve("m.yaml").toString()),
                "file not found");
    }
}
