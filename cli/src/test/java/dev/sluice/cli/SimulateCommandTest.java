package dev.sluice.cli;

import static dev.sluice.cli.Program.example;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Program.ProgramResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Output and options of {@code sluice simulate}. */
final class SimulateCommandTest extends SimulateFixture {

    @Test
    void table_ofTwoConfigurations_isExact() {
        ProgramResult answer = simulate("-q", "--workload", jobs, "--config", one, "--config", users);

        assertThat(answer.err()).isEmpty();
        assertThat(answer.out()).isEqualTo("""
                        jobs.yaml: 2 applications, 12 tasks, 2 users, submitted within 10 min, on 2 nodes

                        CONFIGURATION       WAIT    P90    MAX  SLOWDOWN    VCORE  UNFAIR
                        one               57 min  1.8 h  1.8 h       8.7  100.0 %       -
                        users             39 min  1.2 h  1.2 h       4.9   96.2 %  19.2 %
                        (shortest-first)  38 min  1.1 h  1.1 h       4.7  100.0 %       -
                        (infinite-nodes)     0 s    0 s    0 s       1.0        -       -
                        (random-order)    57 min  1.8 h  1.8 h       8.7  100.0 %       -

                        QUEUE     CONFIGURATION  TASKS    WAIT     P90  SLOWDOWN    SHARE      DUE
                        root.all  one               12  57 min   1.8 h       8.7  100.0 %  100.0 %
                        root.eve  users              8  33 min   1.2 h       1.5   92.3 %   73.1 %
                        root.ada  users              4  53 min  55 min      11.5    3.8 %   23.1 %

                        WAIT and SLOWDOWN are means; UNFAIR is the share of nodes that went to the
                        wrong queues. --all shows every figure, --report FILE writes an HTML report.
                        Rows in brackets are bounds for comparison.
                        """);
        assertThat(answer.exitCode()).isZero();
    }

    @Test
    void table_withAll_hasEveryFigure() {
        ProgramResult answer = simulate("-q", "--all", "--workload", jobs, "--config", users);

        assertThat(answer.out())
                .contains("WAIT MEAN", "P50", "P99", "MAKESPAN", "TASKS/H", "FRAGMENTED", "WITHHELD", "APART")
                .doesNotContain("--all");
    }

    @Test
    @Tag("slow")
    void table_ofExample_fits80Columns() {
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
    void table_withRejectedTasks_showsCountAndReason() throws Exception {
        String rules = write("onlyada.yaml", """
                partitions:
                  - name: default
                    placementrules: [{name: fixed, value: root.all, filter: {type: allow, users: [ada]}}]
                    queues: [{name: root, queues: [{name: all}]}]
                """);

        ProgramResult answer = simulate("-q", "--workload", jobs, "--config", rules, "--no-bounds");

        assertThat(answer.out())
                .contains("REJECTED")
                .containsPattern("onlyada .* 1\n")
                .contains("onlyada: some tasks never started\n  1 × no placement rule matches");
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

    /** The first gang starts at once, the second when the first has ended. */
    @Test
    void gangs_ofJobs_areShownWithTheirWaits() throws Exception {
        jobs = write("two.yaml", """
                at: 2026-01-05T08:00:00Z
                nodes: [{name: n, capacity: {vcore: 2}}]
                applications:
                  - {id: a, tasks: [{id: t, count: 2, resources: {vcore: 1}, duration: 1h}]}
                  - {id: b, tasks: [{id: t, count: 2, resources: {vcore: 1}, duration: 1h}]}
                """);

        JsonNode gangs = json("--gangs", "--no-bounds", "--config", one).at("/runs/0/overall/gangs");

        assertThat(gangs.get("started").asInt()).isEqualTo(2);
        assertThat(gangs.get("timedOut").asInt()).isZero();
        assertThat(gangs.at("/waiting/count").asInt()).isEqualTo(2);
        assertThat(gangs.at("/waiting/mean").asDouble()).isEqualTo(1800);
        assertThat(gangs.at("/waiting/max").asDouble()).isEqualTo(3600);
        assertThat(simulate("--gangs", "--no-bounds", "-q", "--workload", jobs, "--config", one)
                        .out())
                .contains("""
                        CONFIGURATION  GANG WAIT  P50    P90  TIMED OUT
                        one               30 min  0 s  1.0 h          0
                        """);
    }

    @Test
    @Tag("slow")
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

        ProgramResult once = simulate(with(arguments, "--report", first.toString()));
        ProgramResult again = simulate(with(arguments, "--report", second.toString()));

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

        ProgramResult answer = simulate("-q", "--workload", jobs, "--config", one, "--report", report.toString());

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

    @Test
    void bounds_switchedOff_areNotThere() {
        assertThat(names(json("--config", one, "--no-bounds"))).containsExactly("one");
    }

    @Test
    void config_missing_defaultsToWorkloadThenOneQueue() throws Exception {
        assertThat(names(json("--no-bounds"))).containsExactly("one-queue");
        jobs = write("own.yaml", ONE_QUEUE + JOBS);
        assertThat(names(json("--no-bounds"))).containsExactly("as-in-the-workload");
    }

    @Test
    void configs_withEqualFileNames_areNamedByPath() throws Exception {
        String a = write("a/queues.yaml", ONE_QUEUE);
        String b = write("b/queues.yaml", QUEUE_PER_USER);

        assertThat(names(json("--config", a, "--config", one, "--config", b, "--no-bounds")))
                .containsExactly(a, "one", b);
        assertRefused(simulate("--workload", jobs, "--config", a, "--config", a), "duplicate --config " + a);
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
        JsonNode cluster = json("--nodes", nodes, "--no-bounds").at("/clusters/0");

        assertThat(cluster.get("nodes").asInt()).isEqualTo(count);
        assertThat(cluster.at("/capacity/vcore").asLong()).isEqualTo(vcore);
    }

    @Test
    void nodes_ofAFile_areThose() throws Exception {
        String nodes = write("nodes.yaml", "nodes: [{name: x, count: 5, capacity: {vcore: 3}}]\n");

        assertThat(json("--nodes", nodes, "--no-bounds")
                        .at("/clusters/0/capacity/vcore")
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

        assertThat(comparison.at("/clusters/0/nodes").asInt()).isEqualTo(2);
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
    @Tag("slow")
    void seed_decidesLotsAndNothingElse() {
        jobs = example("simulate/office.yaml");

        JsonNode one = json("--seed", "1", "--until", "12h");
        JsonNode two = json("--seed", "2", "--until", "12h");

        assertThat(two.at("/runs/0").toString()).isEqualTo(one.at("/runs/0").toString());
        assertThat(two.at("/runs/3/name").asString()).isEqualTo("random-order");
        assertThat(two.at("/runs/3").toString()).isNotEqualTo(one.at("/runs/3").toString());
    }

    @Test
    void everythingRejected_isSaidFirst() throws Exception {
        String nobody = write("nobody.yaml", """
                partitions:
                  - name: default
                    placementrules: [{name: fixed, value: root.all, filter: {type: allow, users: [mallory]}}]
                    queues: [{name: root, queues: [{name: all}]}]
                """);
        String report = directory.resolve("report.html").toString();
        ProgramResult answer =
                simulate("--workload", jobs, "--config", one, "--config", nobody, "--report", report, "-q");

        assertThat(answer.exitCode()).as(answer.err()).isZero();
        String sentence = "nobody: every application was rejected, so nothing ran: no placement rule matches (fixed:";
        assertThat(answer.out()).startsWith(sentence);
        assertThat(answer.out().lines().filter(line -> line.contains("every application was rejected")))
                .hasSize(1);
        String page = Files.readString(Path.of(report));
        assertThat(page.indexOf(sentence)).isPositive().isLessThan(page.indexOf("<h2 id=\"summary-title\">"));
        ProgramResult good = simulate("--workload", jobs, "--config", one, "-q");
        assertThat(good.out()).doesNotContain("every application was rejected");
    }
}
