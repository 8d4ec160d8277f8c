package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Program.ProgramResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Planning of nodes with {@code sluice simulate}: several nodes, ranges, repetitions, and how many are enough. */
final class SimulatePlanningTest extends SimulateFixture {

    @Test
    void nodes_several_runWithEachConfiguration() throws Exception {
        String nodes = write("machines.yaml", "nodes: [{name: x, count: 5, capacity: {vcore: 3}}]\n");

        JsonNode comparison =
                json("--nodes", "8", "--nodes", "3:vcore=2", "--nodes", nodes, "--config", one, "--config", users);

        assertThat(names(comparison))
                .containsExactly(
                        "one on 8 cores",
                        "users on 8 cores",
                        "one on 3:vcore=2",
                        "users on 3:vcore=2",
                        "one on machines",
                        "users on machines");
        assertThat(comparison.at("/runs/3/variant").toString())
                .isEqualTo("{\"configuration\":\"users\",\"nodes\":\"3:vcore=2\"}");
        assertThat(comparison.at("/clusters/2/nodes").asInt()).isEqualTo(5);
        assertThat(comparison.at("/clusters/2/capacity/vcore").asInt()).isEqualTo(15_000);
        assertThat(simulate("-q", "--workload", jobs, "--nodes", "8", "--nodes", nodes)
                        .out())
                .contains("on 1 to 5 nodes", "one-queue on 8 cores ", "one-queue on machines ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "n=1..3           | one-queue on n=1, one-queue on n=2, one-queue on n=3",
                "n=1..6/2         | one-queue on n=1, one-queue on n=3, one-queue on n=5",
                "2..4/2           | one-queue on 2 cores, one-queue on 4 cores",
                "1..2:vcore=4     | one-queue on 1:vcore=4, one-queue on 2:vcore=4",
                "@:gpu=0..1       | one-queue on pools:gpu=0, one-queue on pools:gpu=1",
            })
    void range_ofNodes_runsEachNumber(String range, String runs) throws Exception {
        String pools = write(
                "pools.yaml",
                "nodes: [{name: cpu, count: 2, capacity: {vcore: 3}}, {name: gpu, capacity: {vcore: 1, gpu: 1}}]\n");

        assertThat(names(json("--nodes", range.replace("@", pools)))).containsExactly(runs.split(", "));
    }

    @Test
    void range_ofOneNumber_needsNoName() {
        assertThat(names(json("--nodes", "n=4..4", "--no-bounds"))).containsExactly("one-queue");
    }

    @Test
    void nodes_enough_areFoundWithTheNextSmaller() {
        ProgramResult answer =
                simulate("-q", "--workload", jobs, "--config", one, "--nodes", "n=1..9", "--enough", "p90  WAIT<=70m");

        assertThat(answer.exitCode()).isZero();
        assertThat(answer.out())
                .contains("""
                        Enough for p90 wait <= 70m
                          one: n=3 (p90 wait 1.0 h); n=2 is not enough (p90 wait 1.8 h)
                        """)
                .contains("one: simulated 4 of 9 sizes by bisection; all simulated larger ones are enough");
    }

    @Test
    void nodes_enough_areInJsonPerConfiguration() {
        JsonNode comparison = json(
                "--config",
                one,
                "--config",
                users,
                "--nodes",
                "n=1..9",
                "--enough",
                "p90 wait <= 1h",
                "--enough",
                "vcore utilisation > 10%");

        JsonNode enough = comparison.get("enough");
        assertThat(enough.valueStream().map(each -> each.get("configuration").asString()))
                .containsExactly("one", "users");
        assertThat(enough.at("/0/smallest").asString()).isEqualTo("n=3");
        assertThat(enough.at("/0/smaller").asString()).isEqualTo("n=2");
        assertThat(enough.at("/0/conditions/1").asString()).isEqualTo("vcore utilisation > 10%");
        assertThat(enough.at("/0/range").asInt()).isEqualTo(9);
        assertThat(enough.at("/0/checks/0/measures/0/measure").asString()).isEqualTo("p90 wait");
        assertThat(comparison.get("clusters").size()).isPositive();
    }

    @Test
    void nodes_neverEnough_exit1() {
        ProgramResult answer =
                simulate("-q", "--workload", jobs, "--config", one, "--nodes", "n=1..2", "--enough", "max wait < 1s");

        assertThat(answer.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(answer.out()).contains("one: none; n=2, the largest, is not enough (max wait 1.8 h)");
    }

    @Test
    void repetitions_ofSyntheticWorkload_showMeanMinimumAndMaximum() throws Exception {
        jobs = write("synthetic.yaml", """
                nodes: [{name: n, count: 1, capacity: {vcore: 2}}]
                synthetic:
                  for: 1h
                  arrivals: {every: 60s}
                  users: [{name: u, count: 2}]
                  kinds: [{name: k, duration: {exponential: {mean: 2m}}}]
                """);
        ProgramResult answer = simulate("-q", "--workload", jobs, "--no-bounds", "--repetitions", "3");

        assertThat(answer.err()).isEmpty();
        assertThat(answer.out())
                .containsPattern("(?m)^one-queue +\\S.*\n  min +\\S.*\n  max +\\S.*$")
                .contains("Figures are means of 3 repetitions, with minimum and maximum");
        JsonNode comparison = json("--no-bounds", "--repetitions", "3");
        assertThat(comparison.get("repetitions").asInt()).isEqualTo(3);
        JsonNode spread = comparison.at("/runs/0/spread/0");
        assertThat(spread.get("measure").asString()).isEqualTo("mean wait");
        assertThat(spread.get("min").asDouble()).isLessThan(spread.get("max").asDouble());
    }

    @Test
    void repetitions_ofRecordedWorkload_warn() {
        ProgramResult answer = simulate("-q", "--workload", jobs, "--config", one, "--no-bounds", "--repetitions", "2");

        assertThat(answer.err()).startsWith("warning: all repetitions are equal: --repetitions draws synthetic");
        assertThat(answer.exitCode()).isZero();
    }

    @Test
    void timeLimit_exceeded_isNoPreemption() throws Exception {
        jobs = write("limit.yaml", JOBS.replace("duration: 5m", "duration: 5m, timeout: 1m"));

        assertThat(simulate("-q", "--workload", jobs, "--config", one, "--no-bounds")
                        .out())
                .contains("TIMED OUT")
                .containsPattern("(?m)^one .* 4$")
                .doesNotContain("PREEMPTED");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--nodes gpu=1..4                          | --nodes gpu=1..4: error: the workload has no nodes named gpu, it has n",
                "--nodes n=4..2                            | the range 4..2 is empty",
                "--nodes n=1..4/0                          | the step must be greater than 0",
                "--nodes 16:vcore=8..16                    | a range may replace the number of nodes, not an amount",
                "--nodes 2..4:vcore=8,memory=1Gi..4Gi      | a range may replace the number of nodes, not an amount",
                "--nodes 2..4:vcore=8..16/4,gpu=1          | a range may replace the number of nodes, not an amount",
                "--nodes n=0..4                            | the range must begin at 1 or more",
                "--nodes n=1..10000001                     | a group at most 10000000 nodes",
                "--nodes n=1..9999                         | 9,999 runs, more than 256: add a step",
                "--nodes n=1..3 --nodes n=3..4             | duplicate --nodes: two are named n=3",
                "--nodes missing.yaml:n=1..3               | missing.yaml: error: file not found",
                "--enough p90                              | --enough requires one --nodes with a range",
                "--nodes 4 --enough makespan<1h            | --enough requires one --nodes with a range",
                "--nodes n=1..4 --enough p90               | --enough p90: not a condition: give a measure",
                "--nodes n=1..4 --enough waits<=1h         | --enough waits<=1h: unknown measure \"waits\": give one of mean wait",
                "--nodes n=1..4 --enough makespan<=x       | \"x\" is no limit of makespan: give a duration such as 90m",
                "--nodes n=1..4 --enough preempted<=-1     | \"-1\" is no limit of preempted: give a number",
                "--nodes n=1..4 --enough fragmented<=x%    | give a share such as 90%",
                "--nodes n=1..4 --until 1d --enough makespan<1h | --enough simulates the workload to its end: omit --until",
                "--repetitions 0                           | --repetitions must be from 1 to 1000, not 0",
            })
    void option_invalid_isRefusedWithAFix(String options, String words) {
        assertRefused(simulate(("-q --workload " + jobs + " " + options).split(" +")), words);
    }
}
