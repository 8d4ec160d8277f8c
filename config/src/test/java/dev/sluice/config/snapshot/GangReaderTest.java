package dev.sluice.config.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.core.application.Gang;
import dev.sluice.core.state.Partition;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Gangs of applications, and topologies of partitions, in files. */
class GangReaderTest {

    private static final String HEAD = """
            at: 2026-01-01T12:00:00Z
            partitions:
            - {name: default, topology: [zone, rack], queues: [{name: root, queues: [{name: default}]}]}
            nodes:
            - {name: n, capacity: {vcore: 1}}
            applications:
            - id: a
              queue: root.default
              tasks:
              - {id: worker, count: 8}
              - {id: driver}
              - {id: end, after: {driver: succeeded}}
            """;

    private static ParseResult<Snapshot> read(String gang) {
        return SnapshotReader.read("s", HEAD + "  gang: " + gang + "\n");
    }

    private static void check(String gang, String problem) {
        assertThat(read(gang).report()).isEqualTo(problem);
    }

    @Test
    void gang_withAllKeys_isReadAndWritten() {
        Snapshot snapshot = read("{tasks: {worker: 8, driver: 1}, style: hard, timeout: 1h, onloss: restart,"
                        + " topology: {key: rack, require: false}}")
                .value();
        Gang gang = snapshot.applications().get(0).gang();

        assertThat(gang)
                .isEqualTo(new Gang(
                        new TreeMap<>(Map.of("worker", 8, "driver", 1)),
                        Gang.Style.HARD,
                        Duration.ofHours(1),
                        Gang.OnLoss.RESTART,
                        new Gang.Topology("rack", false)));
        assertThat(SnapshotWriter.yaml(snapshot))
                .contains("topology: [zone, rack]")
                .contains("""
                            gang:
                              tasks: {driver: 1, worker: 8}
                              style: hard
                              timeout: 1h
                              onloss: restart
                              topology: {key: rack, require: false}
                        """);
    }

    /** Only its stopped task is on a node: until it has ended, no other starts. */
    @Test
    void gang_startingAgain_startsNothing() {
        String text = HEAD.replace("{id: driver}", "{id: driver, state: stopping, node: n}");
        String gang = "  gang: {tasks: {driver: 1}, onloss: restart}\n";
        Snapshot stopped = SnapshotReader.read("s", text + gang).value();
        Snapshot restarting =
                SnapshotReader.read("s", text + gang + "  restarting: true\n").value();

        assertThat(isRestarting(stopped)).isFalse();
        assertThat(isRestarting(restarting)).isTrue();
        assertThat(SnapshotWriter.yaml(restarting)).contains("\n    restarting: true\n");
        assertThat(SnapshotReader.read("s", text + "  restarting: true\n").report())
                .isEqualTo("s:13:15: only a gang starts again: remove restarting, or add gang:");
    }

    private static boolean isRestarting(Snapshot snapshot) {
        Partition partition =
                Objects.requireNonNull(SnapshotLoader.load(snapshot).state().partition("default"));
        return Objects.requireNonNull(partition.existing("a").gang()).isRestarting();
    }

    @Test
    void gang_withTasksOnly_hasDefaults() {
        assertThat(read("{tasks: {worker: 2}}").value().applications().get(0).gang())
                .isEqualTo(Gang.of(Map.of("worker", 2)));
    }

    @Test
    void gang_namingUnknownTasks_isAProblem() {
        check(
                "{tasks: {workers: 8}}",
                "s:13:18: a gang cannot have tasks \"workers\": the application has no task with this id");
    }

    @Test
    void gang_largerThanItsTasks_isAProblem() {
        check(
                "{tasks: {worker: 9}}",
                "s:13:26: the gang needs 9 tasks \"worker\", but there are only 8: lower the number or raise"
                        + " count");
    }

    @Test
    void gang_ofDependentTasks_isAProblem() {
        check(
                "{tasks: {end: 1}}",
                "s:13:18: a gang cannot have tasks \"end\", which start after other tasks: remove after, or"
                        + " leave them out of the gang");
    }

    @Test
    void gang_withoutMembers_isAProblem() {
        check("{tasks: {}}", "s:13:17: a gang needs tasks, such as tasks: {worker: 8}");
        check("{style: soft}", "s:13:9: a gang needs tasks, such as tasks: {worker: 8}");
        assertThat(read("{tasks: {worker: 0}}").report()).startsWith("s:13:26: ");
    }

    @Test
    void gang_withoutTime_isAProblem() {
        check("{tasks: {worker: 1}, timeout: 0}", "s:13:39: the timeout of a gang must be greater than 0");
    }

    /** The partition may have had another topology when the application was submitted. */
    @Test
    void topologyKey_thatThePartitionLacks_isAWarningInASnapshot() {
        ParseResult<Snapshot> read = read("{tasks: {worker: 1}, topology: {key: row}}");

        assertThat(read.problems()).isEmpty();
        assertThat(read.warnings())
                .singleElement()
                .asString()
                .contains("partition default has no topology key \"row\": use one of zone, rack");
    }

    @Test
    void topologyKey_thatThePartitionLacks_isAProblemInAJobFile() {
        String jobs = "{gang: {tasks: {t: 1}, topology: {key: rack}}, tasks: [{id: t, command: x}]}";

        assertThat(JobFileReader.read("j", jobs, Instant.EPOCH).report())
                .isEqualTo("j:1:40: partition default has no topology key \"rack\": add topology to its configuration,"
                        + " or remove topology here");
    }
}
