package dev.sluice.cli;

import static dev.sluice.cli.Program.example;
import static dev.sluice.cli.Program.execute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Program.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

final class SimulateCommandTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Two people, two hours of work for four cores, of which eve's comes first. */
    private static final String JOBS = """
            at: 2026-01-05T08:00:00Z
            nodes: [{name: n, count: 2, capacity: {vcore: 2}}]
            applications:
              - {id: long, user: eve, tasks: [{id: t, count: 8, resources: {vcore: 1}, duration: 1h}]}
              - {id: short, user: ada, submitted: 10m, tasks: [{id: t, count: 4, resources: {vcore: 1}, duration: 5m}]}
            """;

    private static final String QUEUE_PER_USER = """
            partitions:
              - name: default
                placementrules: [{name: user, create: true}]
                queues: [{name: root, submitacl: "*"}]
            """;

    private static final String ONE_QUEUE = """
            partitions:
              - name: default
                placementrules: [{name: fixed, value: root.all}]
                queues: [{name: root, queues: [{name: all}]}]
            """;

    @TempDir
    Path directory;

    private String jobs;
    private String users;
    private String one;

    @BeforeEach
    void writeFiles() throws Exception {
        jobs = write("jobs.yaml", JOBS);
        users = write("users.yaml", QUEUE_PER_USER);
        one = write("one.yaml", ONE_QUEUE);
    }

    private String write(String name, String text) throws Exception {
        Path file = directory.resolve(name);
        Files.createDirectories(file.resolve("..").normalize());
        return Files.writeString(file, text).toString();
    }

    private static Answer simulate(String... arguments) {
        List<String> all = new ArrayList<>(List.of("simulate"));
        all.addAll(Arrays.asList(arguments));
        return execute(all.toArray(String[]::new));
    }

    private JsonNode json(String... arguments) {
        List<String> all = new ArrayList<>(List.of("-o", "json", "-q", "--workload", jobs));
        all.addAll(Arrays.asList(arguments));
        Answer answer = simulate(all.toArray(String[]::new));
        assertThat(answer.err()).isEmpty();
        assertThat(answer.exitCode()).isZero();
        return JSON.readTree(answer.out());
    }

    private static List<String> names(JsonNode comparison) {
        return comparison
                .get("runs")
                .valueStream()
                .map(run -> run.get("name").asString())
                .toList();
    }

    private static void assertRefused(Answer answer, String... words) {
        assertThat(answer.err()).contains(words).doesNotContain("\tat ").doesNotContain("bug");
        assertThat(answer.out()).isEmpty();
        assertThat(answer.exitCode()).isEqualTo(2);
    }

    // --- the result
    // -----------------------------------------------------------------------------------------------------------

    @Test
    void table_ofTwoConfigurations_isExactlyThis() {
        Answer answer = simulate("-q", "--workload", jobs, "--config", one, "--config", users);

        assertThat(answer.err()).isEmpty();
        assertThat(answer.out()).isEqualTo("""
                        jobs.yaml: 2 applications, 12 tasks, 2 users, submitted within 10 min, on 2 nodes

                        CONFIGURATION       WAIT    P90  LONGEST  SLOWDOWN    VCORE  UNFAIR
                        one               57 min  1.8 h    1.8 h       8.7  100.0 %       -
                        users             39 min  1.2 h    1.2 h       4.9   96.2 %  19.2 %
                        (shortest-first)  38 min  1.1 h    1.1 h       4.7  100.0 %       -
                        (infinite-nodes)     0 s    0 s      0 s       1.0        -       -
                        (random-order)    57 min  1.8 h    1.8 h       8.7  100.0 %       -

                        QUEUE     CONFIGURATION  TASKS    WAIT     P90  SLOWDOWN    SHARE      DUE
                        root.all  one               12  57 min   1.8 h       8.7  100.0 %  100.0 %
                        root.eve  users              8  33 min   1.2 h       1.5   92.3 %   73.1 %
                        root.ada  users              4  53 min  55 min      11.5    3.8 %   23.1 %

                        WAIT and SLOWDOWN are means; UNFAIR is the part of the nodes that went to the
                        wrong queues. --all shows every figure, --report FILE writes a page with plots.
                        In brackets are bounds to compare with, not configurations.
                        """);
        assertThat(answer.exitCode()).isZero();
    }

    @Test
    void table_withAll_hasEveryFigure() {
        Answer answer = simulate("-q", "--all", "--workload", jobs, "--config", users);

        assertThat(answer.out())
                .contains("WAIT MEAN", "P50", "P99", "MAKESPAN", "TASKS/H", "FRAGMENTED", "WITHHELD", "APART")
                .doesNotContain("--all");
    }

    @Test
    void table_ofTheExample_fitsOnEightyColumns() {
        String table = simulate(
                        "-q",
                        "--workload",
                        example("simulate/office.yaml"),
                        "--config",
                        example("simulate/fifo.yaml"),
                        "--config",
                        example("simulate/fair.yaml"))
                .out();

        // the line above the tables is a sentence
        assertThat(table.lines().skip(1)).allMatch(line -> line.length() <= 80);
    }

    @Test
    void table_whereSomeIsRejected_saysHowMuchAndWhy() throws Exception {
        String rules = write("onlyada.yaml", """
                partitions:
                  - name: default
                    placementrules: [{name: fixed, value: root.all, filter: {type: allow, users: [ada]}}]
                    queues: [{name: root, queues: [{name: all}]}]
                """);

        Answer answer = simulate("-q", "--workload", jobs, "--config", rules, "--no-bounds");

        assertThat(answer.out())
                .contains("REJECTED")
                .containsPattern("onlyada .* 1\n")
                .contains("onlyada: some work did not start\n  1 × no placement rule took it");
        assertThat(answer.exitCode()).isZero();
    }

    @Test
    void json_hasEveryConfigurationAndEveryBound() {
        JsonNode comparison = json("--config", one, "--config", users);

        assertThat(names(comparison))
                .containsExactly("one", "users", "shortest-first", "infinite-nodes", "random-order");
        assertThat(comparison
                        .get("runs")
                        .valueStream()
                        .map(run -> run.get("kind").asString()))
                .startsWith("configuration", "configuration", "shortest-first");
        assertThat(comparison.at("/runs/0/total/succeeded").asLong()).isEqualTo(12);
        assertThat(comparison.at("/workload/name").asString()).isEqualTo("jobs.yaml");
    }

    @Test
    void outputs_ofTwoRuns_areTheSameByteForByte() throws Exception {
        Path first = directory.resolve("first.html");
        Path second = directory.resolve("second.html");
        String[] arguments = {
            "-o",
            "json",
            "-q",
            "--workload",
            example("simulate/office.yaml"),
            "--config",
            example("simulate/usage.yaml")
        };

        Answer once = simulate(with(arguments, "--report", first.toString()));
        Answer again = simulate(with(arguments, "--report", second.toString()));

        assertThat(again.out()).isEqualTo(once.out()).isNotEmpty();
        assertThat(second).hasSameBinaryContentAs(first);
    }

    private static String[] with(String[] arguments, String... more) {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        all.addAll(Arrays.asList(more));
        return all.toArray(String[]::new);
    }

    @Test
    void report_isWrittenAndNamed() throws Exception {
        Path report = directory.resolve("report.html");

        Answer answer = simulate("-q", "--workload", jobs, "--config", one, "--report", report.toString());

        assertThat(answer.out()).endsWith("\nReport: " + report + "\n");
        assertThat(report).content().startsWith("<!DOCTYPE html>").contains("jobs.yaml", "shortest-first");
    }

    @Test
    void progress_isShownUnlessQuiet() {
        assertThat(simulate("--workload", jobs, "--config", one).err())
                .containsPattern("one +[0-9]+ events in ")
                .containsPattern("random-order +[0-9]+ events in ");
        assertThat(simulate("--workload", jobs, "--quiet").err()).isEmpty();
    }

    // --- options
    // --------------------------------------------------------------------------------------------------------------

    @Test
    void bounds_switchedOff_areNotThere() {
        assertThat(names(json("--config", one, "--no-bounds"))).containsExactly("one");
    }

    @Test
    void config_none_isThatOfTheWorkloadElseOneQueue() throws Exception {
        assertThat(names(json("--no-bounds"))).containsExactly("one-queue");
        jobs = write("own.yaml", ONE_QUEUE + JOBS);
        assertThat(names(json("--no-bounds"))).containsExactly("as-in-the-workload");
    }

    @Test
    void configs_ofTheSameFileName_areCalledByTheirPaths() throws Exception {
        String a = write("a/queues.yaml", ONE_QUEUE);
        String b = write("b/queues.yaml", QUEUE_PER_USER);

        assertThat(names(json("--config", a, "--config", one, "--config", b, "--no-bounds")))
                .containsExactly(a, "one", b);
        assertRefused(simulate("--workload", jobs, "--config", a, "--config", a), "--config " + a + " is there twice");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "8                    | 1 | 8000",
                "3:vcore=2,memory=8Gi | 3 | 6000",
                "vcore=500m           | 1 | 500",
            })
    void nodes_inWords_areAsMany(String nodes, int count, long vcore) {
        JsonNode workload = json("--nodes", nodes, "--no-bounds").get("workload");

        assertThat(workload.get("nodes").asInt()).isEqualTo(count);
        assertThat(workload.at("/capacity/vcore").asLong()).isEqualTo(vcore);
    }

    @Test
    void nodes_ofAFile_areThose() throws Exception {
        String nodes = write("nodes.yaml", "nodes: [{name: x, count: 5, capacity: {vcore: 3}}]\n");

        assertThat(json("--nodes", nodes, "--no-bounds")
                        .at("/workload/capacity/vcore")
                        .asLong())
                .isEqualTo(15_000);
    }

    @Test
    void workloadAndNodes_asTablesWithOneMapping_areRead() throws Exception {
        jobs = write("jobs.csv", "at,took,cores,who\n0,60,2,ada\n30,60,2,ben\n");
        String nodes = write("machines.csv", "machine,cores\nm1,2\nm2,2\n");
        String mapping = write("mapping.yaml", """
                applications: {submitted: at, duration: took, user: who, resources: {vcore: cores}}
                nodes: {name: machine, capacity: {vcore: cores}}
                """);

        JsonNode comparison = json("--mapping", mapping, "--nodes", nodes, "--no-bounds");

        assertThat(comparison.at("/workload/nodes").asInt()).isEqualTo(2);
        assertThat(comparison.at("/workload/users").asInt()).isEqualTo(2);
        assertThat(comparison.at("/runs/0/total/succeeded").asInt()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-01-05T08:30:00Z", "30m"})
    void until_asATimeOrADuration_endsThere(String until) {
        JsonNode run = json("--until", until, "--no-bounds").at("/runs/0");

        assertThat(run.get("end").asString()).isEqualTo("2026-01-05T08:30:00Z");
        assertThat(run.at("/total/running").asInt()).isEqualTo(4);
        assertThat(run.at("/total/neverStarted").asInt()).isEqualTo(8);
    }

    @Test
    void timeScale_multipliesTimesBetweenSubmissions() {
        JsonNode workload = json("--time-scale", "0.5", "--no-bounds").get("workload");

        assertThat(workload.get("last").asString()).isEqualTo("2026-01-05T08:05:00Z");
        assertThat(workload.get("timeScale").asDouble()).isEqualTo(0.5);
    }

    @Test
    void seed_decidesLotsAndNothingElse() {
        jobs = example("simulate/office.yaml");

        JsonNode one = json("--seed", "1", "--until", "12h");
        JsonNode two = json("--seed", "2", "--until", "12h");

        assertThat(two.at("/runs/0").toString()).isEqualTo(one.at("/runs/0").toString());
        assertThat(two.at("/runs/3/name").asString()).isEqualTo("random-order");
        assertThat(two.at("/runs/3").toString()).isNotEqualTo(one.at("/runs/3").toString());
    }

    // --- damaged logs
    // ---------------------------------------------------------------------------------------------------------

    /** A log of two jobs and a line that breaks off. */
    private String damagedLog() throws Exception {
        return write("log.swf", """
                ; MaxProcs: 4
                1 0 -1 60 2 -1 -1 2 60 -1 1 1 1 1 1 -1 -1 -1
                2 5 -1 60
                3 9 -1 60 2 -1 -1 2 60 -1 1 2 1 1 1 -1 -1 -1
                """);
    }

    @Test
    void log_withTooManyBrokenLines_isRefusedAndShowsThem() throws Exception {
        String log = damagedLog();
        Path report = directory.resolve("report.html");

        Answer answer = simulate("--workload", log, "--report", report.toString());

        assertRefused(
                answer,
                "1 of 3 lines of " + log + " cannot be read and are left out",
                log + ":3:",
                "33.3 % of the lines",
                "more than the 1 % that --broken-max allows");
        assertThat(report).doesNotExist();
    }

    @Test
    void log_withAsManyBrokenLinesAsAllowed_isSimulatedWithoutThem() throws Exception {
        Answer answer = simulate("-q", "-o", "json", "--workload", damagedLog(), "--broken-max", "50");

        assertThat(answer.exitCode()).isZero();
        assertThat(answer.err()).contains("warning: 1 of 3 lines");
        assertThat(JSON.readTree(answer.out()).at("/workload/applications").asInt())
                .isEqualTo(2);
    }

    // --- what is wrong
    // --------------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0                   | nothing runs on a node without cores: write a number of cores",
                "2:vcore=0           | nothing runs on nodes that have nothing",
                "0:vcore=1           | there are 1 to 10000000 nodes",
                "2:vcore=x           | \"x\" is not a quantity",
                "2:vcore=1,vcore=2   | vcore is there twice",
                "2:vcore=1,          | \"\" is no amount of a resource",
                "2:vcore             | there is no such file: write a number of cores",
                "-4                  | there is no such file: write a number of cores",
                "99999999999999999   | there is no such file",
                "no-such.yaml        | there is no such file",
            })
    void nodes_wrong_areRefusedWithACure(String nodes, String words) {
        assertRefused(simulate("--workload", jobs, "--nodes=" + nodes), words, "16:vcore=32,memory=128Gi");
    }

    @Test
    void nodes_ofATableWithoutAMapping_areRefusedWithACure() throws Exception {
        String nodes = write("machines.csv", "machine,cores\nm1,2\n");

        assertRefused(simulate("--workload", jobs, "--nodes", nodes), "say with --mapping what its columns mean");
    }

    @Test
    void nodes_thatNobodyTells_areAskedFor() throws Exception {
        String work = write("work.yaml", JOBS.replaceAll("nodes:.*\n", ""));

        assertRefused(simulate("--workload", work), "tells of no nodes: say with --nodes what it runs on");
    }

    @Test
    void nodes_wrongInTheirFile_areShownWithTheirPlace() throws Exception {
        String nodes = write("nodes.yaml", "nodes:\n  - {name: x, capacity: {vcore: 1x}}\n");

        assertRefused(
                simulate("--workload", jobs, "--nodes", nodes), nodes + ":2:33: error: \"1x\" has the unknown unit");
    }

    @Test
    void config_wrong_isShownWithLineColumnAndCure() throws Exception {
        String config = write("wrong.yaml", """
                partitions:
                  - name: default
                    queues: [{name: root, properties: {application.sort.policy: fifoo}}]
                """);
        Path report = directory.resolve("report.html");

        Answer answer =
                simulate("--workload", jobs, "--config", one, "--config", config, "--report", report.toString());

        assertRefused(answer, config + ":3:65: error: unknown sort policy \"fifoo\": did you mean \"fifo\"?");
        assertThat(report).doesNotExist();
    }

    @Test
    void workload_wrong_isShownWithLineColumnAndCure() throws Exception {
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
        assertRefused(simulate("--workload", table, "--nodes", "4"), "this is a table: give a mapping file");
    }

    @Test
    void workload_thatIsAQueueConfiguration_isToldSo() {
        assertRefused(
                simulate("--workload", one), one + " is a queue configuration, not a workload: give it with --config");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--workload", "--config", "--mapping"})
    void file_missing_isNamed(String option) throws Exception {
        String table = write("jobs.csv", "at,took\n0,60\n");
        String workload = option.equals("--mapping") ? table : jobs;

        Answer answer = option.equals("--workload")
                ? simulate("--workload", "missing.yaml")
                : simulate("--workload", workload, "--nodes", "4", option, "missing.yaml");

        assertRefused(answer, "missing.yaml: error: there is no such file");
    }

    @Test
    void report_whereNoneCanBeWritten_isRefusedBeforeAnythingIsSimulated() {
        Path nowhere = directory.resolve("no/report.html");

        assertRefused(
                simulate("--workload", jobs, "--report", nowhere.toString()),
                "the report cannot be written to " + nowhere + ": there is no directory "
                        + nowhere.resolve("..").normalize() + ": make it first");
        assertRefused(simulate("--workload", jobs, "--report", directory.toString()), "name a file in it");
        assertRefused(simulate("--workload", jobs, "--report", one + "/x"), "there is no directory");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--time-scale=0                | --time-scale is above 0",
                "--time-scale=NaN              | --time-scale is above 0",
                "--time-scale=1e9              | at most 1000000",
                "--time-scale=x                | is not a double",
                "--broken-max=-1               | --broken-max is from 0 to 100",
                "--broken-max=NaN              | --broken-max is from 0 to 100",
                "--until=tomorrow              | a duration after the first submission such as 7d, not tomorrow",
                "--until=99999999999d          | a duration after the first submission",
                "--until=0s                    | is not after the first submission, which is at 2026-01-05T08:00:00Z",
                "--until=2025-01-01T00:00:00Z  | is not after the first submission",
                "--seed=x                      | is not a long",
                "--confg=x                     | --config",
                "stray                         | stray",
            })
    void option_wrong_isRefusedWithACure(String option, String words) {
        assertRefused(simulate("--workload", jobs, option), words);
    }

    @Test
    void workload_forgotten_isAskedForAndAMisspeltOptionIsNamed() {
        assertRefused(simulate(), "--workload FILE");
        assertRefused(simulate("--worklaod", jobs), "--worklaod", "--workload");
        assertRefused(simulate("--workload", "a\0b"), "this cannot be the name of a file");
    }

    @Test
    void workload_ofNothing_isRefused() throws Exception {
        String log = write("empty.swf", "; MaxProcs: 4\n");

        assertRefused(simulate("--workload", log), "nothing is submitted in it");
    }
}
