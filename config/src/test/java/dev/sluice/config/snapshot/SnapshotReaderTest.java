package dev.sluice.config.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problem;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.Attempts;
import dev.sluice.core.application.FailurePolicy;
import dev.sluice.core.application.TaskCommand;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.NodeHealth;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class SnapshotReaderTest {

    private static final String AT = "at: 2026-01-01T12:00:00Z\n";
    private static final String NODES =
            AT + "nodes: [{name: w, count: 3, capacity: {vcore: 4, slots: 2}}, {name: big, capacity: {vcore: 64}}]\n";

    private static void check(String text, String... expected) {
        assertThat(SnapshotReader.read("s", text).report()).isEqualTo(String.join("\n", expected));
    }

    /** Returns a snapshot with these tasks of one application, from line 6 on. */
    private static String tasks(String tasks) {
        return NODES + "applications:\n- {id: a, queue: root.default, tasks: [\n" + tasks + "\n]}\n";
    }

    private static String applications(String applications) {
        return NODES + "applications:\n" + applications;
    }

    @Test
    void snapshot_ofEverything_isRead() {
        Snapshot snapshot = SnapshotReader.read("s", """
                at: 2026-01-01T12:00:00Z
                seed: 1
                partitions:
                  - name: default
                    queues: [{name: sandbox}]
                nodes:
                  - {name: w, count: 1000, capacity: {slots: 1}}
                  - {name: big, partition: default, capacity: {vcore: 64, memory: 256Gi, slots: 64}, labels: {disk: ssd}, state: offline}
                applications:
                  - id: etl
                    name: nightly etl
                    partition: default
                    queue: root.Sandbox
                    user: alice
                    groups: [dev]
                    tags: {team: "7"}
                    tag: r17
                    basis: main
                    submitted: 2026-01-01T11:00:00Z
                    state: Running
                    statesince: 2026-01-01T12:30:00+01:00
                    sealed: false
                    onfailure: stop
                    tasks:
                      - {id: t, count: 20, resources: {vcore: 500m, memory: 1Gi}, priority: -3, expectedduration: 1h30m, durationkey: load}
                      - {id: r, state: running, node: big, started: 2026-01-01T11:58:00Z, resources: {vcore: 1}}
                      - {id: u, after: {t: succeeded, r: started}, nodeSelector: {disk: ssd}, requirednode: w-999, retries: 2, lostretries: 0, timeout: 2d}
                      - {id: v, command: [echo, hi], env: {A: 1}, directory: /tmp}
                queues:
                  - {partition: default, path: root.sandbox, usagepriority: 3.2}
                  - {path: root, overthresholdsince: 2026-01-01T11:50:00Z}
                """).value();
        assertThat(snapshot.at()).isEqualTo(Instant.parse("2026-01-01T12:00:00Z"));
        assertThat(snapshot.seed()).isEqualTo(1);
        NodeEntry w = snapshot.nodes().get(0);
        assertThat(w.size()).isEqualTo(1000);
        assertThat(w.nodeName(999)).isEqualTo("w-999");
        assertThat(snapshot.nodes().get(1).health()).isEqualTo(NodeHealth.READY);
        assertThat(snapshot.nodes().get(1).offline()).isTrue();
        assertThat(snapshot.nodes().get(1).since()).isNull();
        assertThat(snapshot.nodes().get(1).nodeName(0)).isEqualTo("big");
        ApplicationEntry etl = snapshot.applications().get(0);
        assertThat(etl.queue()).isEqualTo("root.sandbox");
        assertThat(etl.spec().name()).isEqualTo("nightly etl");
        assertThat(etl.spec().tag()).isEqualTo("r17");
        assertThat(etl.spec().basis()).isEqualTo("main");
        assertThat(etl.state()).isEqualTo(ApplicationState.RUNNING);
        assertThat(etl.stateSince()).isEqualTo(Instant.parse("2026-01-01T11:30:00Z"));
        assertThat(etl.onFailure()).isEqualTo(FailurePolicy.STOP);
        assertThat(etl.sealed()).isFalse();
        assertThat(etl.spec().tasks()).hasSize(4);
        TaskEntry t = etl.tasks().get(0);
        assertThat(t.spec().resources()).isEqualTo(Resources.parse("vcore", "500m", "memory", "1Gi"));
        assertThat(t.spec().expectedDuration()).isEqualTo(Duration.ofMinutes(90));
        assertThat(t.spec().durationKey()).isEqualTo("load");
        assertThat(t.state()).isEqualTo(TaskState.PENDING);
        assertThat(etl.tasks().get(1).node()).isEqualTo("big");
        assertThat(etl.tasks().get(2).spec().after())
                .containsEntry("t", TaskCondition.SUCCEEDED)
                .containsEntry("r", TaskCondition.STARTED);
        assertThat(etl.tasks().get(2).spec().attempts()).isEqualTo(new Attempts(2, 0, Duration.ofDays(2)));
        assertThat(t.spec().attempts()).isEqualTo(new Attempts(0, 10, null));
        TaskCommand command = etl.tasks().get(3).spec().command();
        assertThat(command).isNotNull();
        assertThat(command.words()).containsExactly("echo", "hi");
        assertThat(command.environment()).containsEntry("A", "1");
        assertThat(snapshot.queues().get(0).usagePriority()).isEqualTo(3.2);
    }

    @Test
    void snapshot_withDefaults_isRead() {
        Snapshot snapshot = SnapshotReader.read(
                        "s",
                        "{\"at\": \"2026-01-01T12:00:00Z\", \"applications\": [{\"id\": 7, \"queue\": \"root.default\"}]}")
                .value();
        assertThat(snapshot.partitions()).containsExactly(PartitionConfiguration.simplest());
        ApplicationEntry application = snapshot.applications().get(0);
        assertThat(application.id()).isEqualTo("7");
        assertThat(application.spec().name()).isEqualTo("7");
        assertThat(application.sealed()).isTrue();
        assertThat(application.user()).isEqualTo("nobody");
        assertThat(application.submitted()).isEqualTo(snapshot.at());
        assertThat(application.state()).isNull();
    }

    @Test
    void snapshot_written_isReadable() {
        String yaml = """
                at: 2026-01-01T12:00:00Z
                partitions:
                  - name: default
                    queues: [{name: root, queues: [{name: a, properties: {application.sort.policy: stateaware}}]}]
                nodes:
                  - {name: w, count: 1000, capacity: {slots: 1}, labels: {zone: "1"}}
                applications:
                  - id: etl
                    queue: root.a
                    tasks:
                      - {id: t, count: 20, resources: {memory: 1Gi, vcore: 500m}, expectedduration: 1h30m}
                      - {id: r, state: running, node: w-0, started: 2026-01-01T11:58:00Z, command: [echo, "yes"]}
                """;
        Snapshot snapshot = SnapshotReader.read("s", yaml).value();
        assertThat(SnapshotWriter.yaml(snapshot)).isEqualTo(yaml);
        assertThat(SnapshotWriter.json(snapshot)).startsWith("""
                {
                  "at": "2026-01-01T12:00:00Z",
                  "partitions": [
                    {"name": "default", "queues": [{"name": "root", "queues": [{"name": "a",""").contains("""
                  "nodes": [
                    {"name": "w", "count": 1000, "capacity": {"slots": 1}, "labels": {"zone": "1"}}
                  ],
                """);
    }

    @Test
    void partitions_given_replaceThoseOfFile() {
        PartitionConfiguration other =
                PartitionConfiguration.of("default", QueueConfiguration.parent("root", QueueConfiguration.leaf("x")));
        ParseResult<Snapshot> reading = SnapshotReader.read(
                "s", AT + "partitions: nonsense\napplications: [{id: a, queue: root.x}]\n", List.of(other));
        assertThat(reading.report()).isEmpty();
        assertThat(reading.value().partitions()).containsExactly(other);
    }

    @Test
    void top_invalid_isReported() {
        check("seed: 1\n", "s:1:1: a snapshot needs an instant, such as at: 2026-01-01T12:00:00Z");
        check("at: yesterday\n", "s:1:5: \"yesterday\" is not an instant such as 2026-01-01T12:00:00Z");
        check("at: 2026-01-01\n", "s:1:5: \"2026-01-01\" is not an instant such as 2026-01-01T12:00:00Z");
        check(
                AT + "node: []\nseed: x\n",
                "s:2:1: unknown key \"node\" of a snapshot: did you mean \"nodes\"? (see docs/reference/snapshot.md)",
                "s:3:7: \"x\" is not a whole number");
        check(
                AT + "partitions: [{queues: [{name: a b}]}]\napplications: [{id: a, queue: root.c}]\n",
                "s:2:31: the name of a queue must consist of letters, digits and - _ : # / @, not \"a b\"");
    }

    @Test
    void node_invalid_isReported() {
        check(AT + "nodes:\n- {capacity: {vcore: 1}}\n", "s:3:3: a node needs a name");
        check(AT + "nodes:\n- {name: a}\n", "s:3:3: a node needs a capacity, such as {vcore: 8, memory: 32Gi}");
        check(AT + "nodes:\n- {name: a, capacity: {vcore: -1}}\n", "s:3:31: \"-1\" is negative: must be 0 or greater");
        check(
                AT + "nodes:\n- {name: a, capacity: {}, count: 0}\n",
                "s:3:34: 0 is out of range: must be a whole number from 1 to 10000000");
        check(
                AT + "nodes:\n- {name: a, capacity: {}, state: up}\n",
                "s:3:34: unknown state of a node \"up\": expected one of ready, offline, suspended, lost and flaky");
        check(
                AT + "nodes:\n- {name: a, capacity: {}, state: flakey, offline: true}\n",
                "s:3:34: unknown state of a node \"flakey\": did you mean \"flaky\"?");
        check(
                AT + "nodes:\n- {name: a, capacity: {}, state: lost, since: 2026-01-01T12:00:01Z}\n",
                "s:3:47: 2026-01-01T12:00:01Z is after the instant of the file, 2026-01-01T12:00:00Z");
        check(
                AT + "nodes:\n- {name: a, capacity: {}, state: lost, since: 1m}\n",
                "s:3:47: \"1m\" is not an instant such as 2026-01-01T12:00:00Z");
        check(
                AT + "nodes:\n- {name: a, capacity: {}, offline: true}\n",
                "s:3:36: offline is for nodes that are also suspended, lost or flaky: write state: offline");
        check(
                AT + "nodes:\n- {name: a, capacity: {}, state: offline, offline: false}\n",
                "s:3:52: offline: false contradicts state: offline: remove one of them");
        check(
                AT + "nodes:\n- {name: a, capacity: {}, state: flaky, offline: perhaps}\n",
                "s:3:50: \"perhaps\" is neither true nor false");
        check(
                AT + "nodes:\n- {name: a, capacity: {}, partition: gpu}\n",
                "s:3:38: unknown partition \"gpu\": expected default");
        check(
                AT + "nodes:\n- {name: a, capacity: {}, labels: {zone: 1, ssd: true, x: }}\n",
                "s:3:42: 1 is a number, not text: write \"1\" in quotes",
                "s:3:50: true is true or false, not text: write \"true\" in quotes",
                "s:3:58: value missing: write text");
    }

    @Test
    void node_withDuplicateName_isReported() {
        check(
                AT
                        + "nodes:\n- {name: w, count: 4, capacity: {}}\n- {name: w-4, capacity: {}}\n- {name: w-3, capacity: {}}\n- {name: w-03, capacity: {}}\n- {name: w, capacity: {}}\n",
                "s:5:10: duplicate node name \"w-3\" in partition default: the first is in line 3");
        check(
                AT
                        + "nodes:\n- {name: w-3, capacity: {}}\n- {name: w-2, capacity: {}}\n- {name: w, count: 4, capacity: {}}\n- {name: w, count: 2, capacity: {}}\n",
                "s:5:10: duplicate node name \"w-2\" in partition default: the first is in line 4");
        check(
                AT + "nodes:\n- {name: w, count: 4, capacity: {}}\n- {name: w, count: 1, capacity: {}}\n",
                "s:4:10: duplicate node name \"w-0\" in partition default: the first is in line 3");
    }

    @Test
    void application_invalid_isReported() {
        check(applications("- {queue: root.default}\n"), "s:4:3: an application needs an id");
        check(
                applications("- {id: a, queue: root.default}\n- {id: a, queue: root.default}\n"),
                "s:5:8: duplicate application id \"a\" in partition default: the first is in line 4");
        check(
                applications("- {id: a, queue: root.defualt}\n"),
                "s:4:18: unknown queue \"root.defualt\": did you mean \"root.default\"?");
        check(
                applications("- {id: a, queue: default}\n"),
                "s:4:18: unknown queue \"default\": did you mean \"root.default\"?");
        check(
                applications("- {id: a, queue: root.elsewhere}\n"),
                "s:4:18: unknown queue \"root.elsewhere\" in partition default: leaf queues are root.default");
        check(applications("- {id: a, queue: root}\n"), "s:4:18: \"root\" is not a leaf: use a queue below it");
        check(
                applications("- {id: a, queue: root.default, state: running}\n"),
                "s:4:39: unknown state of an application \"running\": did you mean \"Running\"?");
        check(
                applications("- {id: a, queue: root.default, onfailure: abort}\n"),
                "s:4:43: unknown failure policy \"abort\": expected one of continue and stop");
        check(
                applications("- {id: a, queue: root.default, submitted: 2026-01-01T12:00:01Z}\n"),
                "s:4:43: 2026-01-01T12:00:01Z is after the instant of the file, 2026-01-01T12:00:00Z");
        check(
                applications("- {id: a, queue: root.default, user: \"a\\nb\"}\n"),
                "s:4:38: a user must have 1 to 256 characters and no control characters, not \"a\\u000ab\"");
        check(
                applications("- {id: a, queue: root.default, state: Completed, tasks: [{id: t, state: running}]}\n"),
                "s:4:58: an application in state Completed cannot have tasks in state running");
    }

    @Test
    void application_withoutQueueOrTasks_warns() {
        assertThat(warnings(applications("- {id: a}\n"))).containsExactly("s:4:3: this application has no tasks");
        assertThat(
                        warnings(
                                AT
                                        + "partitions: [{queues: [{name: b}]}]\napplications:\n- {id: a, sealed: false, tasks: [{id: t}]}\n"))
                .containsExactly(
                        "s:4:3: this application has no queue, and partition default has neither placement rules"
                                + " nor a leaf root.default: it will be rejected");
        assertThat(
                        warnings(
                                AT
                                        + "partitions: [{queues: [{name: b}], placementrules: [{name: user}]}]\napplications:\n- {id: a, tasks: [{id: t}]}\n"))
                .isEmpty();
    }

    private static List<String> warnings(String text) {
        ParseResult<Snapshot> reading = SnapshotReader.read("s", text);
        assertThat(reading.report()).isEmpty();
        return reading.warnings().stream().map(Problem::toString).toList();
    }

    @Test
    void task_invalid_isReported() {
        check(tasks("{resources: {vcore: 1}}"), "s:5:1: a task needs an id");
        check(tasks("{id: t, name: x}"), "s:5:9: unknown key \"name\" of a task (see docs/reference/snapshot.md)");
        check(
                tasks("{name: x}"),
                "s:5:1: a task needs an id",
                "s:5:2: unknown key \"name\" of a task: did you mean \"id\"? (see docs/reference/snapshot.md)");
        check(
                tasks("{id: t, Work_Dir: x, cmd: [true], resources: {mem: 1Gi}}"),
                "s:5:9: unknown key \"Work_Dir\" of a task: did you mean \"directory\"? (see docs/reference/snapshot.md)",
                "s:5:22: unknown key \"cmd\" of a task: did you mean \"command\"? (see docs/reference/snapshot.md)");
        check(
                tasks("{id: t, resources: {vcore: 1, slots: 1}}"),
                "s:5:38: slots cannot be requested, every task takes one: remove this");
        check(tasks("{id: t, count: -2}"), "s:5:16: -2 is out of range: must be a whole number from 1 to 10000000");
        check(tasks("{id: t, priority: high}"), "s:5:19: \"high\" is not a whole number");
        check(
                tasks("{id: t, expectedduration: 90}"),
                "s:5:27: \"90\" has no unit: write 90s for seconds or 90m for minutes");
        check(tasks("{id: t, timeout: 0s}"), "s:5:18: a timeout must be greater than 0: remove it for no limit");
        check(
                tasks("{id: t, durationkey: ''}"),
                "s:5:22: a durationkey must have 1 to 256 characters and no control characters, not \"\"");
        check(tasks("{id: t, retries: -1}"), "s:5:18: -1 is negative: must be 0 or more");
        check(
                tasks("{id: t, retries: {times: 0}}"),
                "s:5:26: 0 is out of range: must be a whole number from 1 to 2147483647");
        check(tasks("{id: t, retries: {delay: 1s}}"), "s:5:18: retries need a number, such as times: 3");
        check(tasks("{id: t, retries: {times: 1, delay: 25h}}"), "s:5:36: a delay must be at most 24h");
        check(
                tasks("{id: t, retries: {times: 1, backoff: 2}}"),
                "s:5:38: backoff has no effect without a delay: add one, such as delay: 30s");
        check(tasks("{id: t, retries: {times: 1, delay: 1s, backoff: 0.5}}"), "s:5:49: backoff must be from 1 to 100");
        check(tasks("{id: t, retries: {times: 1, exitcodes: [3, 3]}}"), "s:5:44: duplicate exit code 3");
        check(
                tasks("{id: t, retries: {times: 1, exitcodes: []}}"),
                "s:5:40: no exit code is listed: remove exitcodes to retry after every failure");
        check(tasks("{id: t, delays: [{}]}"), "s:5:18: a delay needs its end, such as until: 2026-01-01T12:00:30Z");
        check(
                tasks("{id: t, state: failed, delays: [{until: 2026-01-01T12:00:30Z}]}"),
                "s:5:32: only pending tasks are delayed, not failed ones: remove delays");
        check(tasks("{id: t, lostretries: -1}"), "s:5:22: -1 is negative: must be 0 or more");
        check(tasks("{id: t, lostretries: 1.5}"), "s:5:22: \"1.5\" is not a whole number");
        check(tasks("{id: t, state: runing}"), "s:5:16: unknown state of a task \"runing\": did you mean \"running\"?");
        check(tasks("{id: t, state: waiting}"), "s:5:16: waiting follows from after: write pending");
        check(
                tasks("{id: t, requirednode: bgi}"),
                "s:5:23: unknown node \"bgi\" in partition default: did you mean \"big\"?");
        check(
                tasks("{id: t, node: big}"),
                "s:5:15: a task in state pending has no node: remove node, or write state: running; to require a node, write requirednode");
        check(tasks("{id: t, nodeSelector: {disk: 5}}"), "s:5:30: 5 is a number, not text: write \"5\" in quotes");
        check(
                tasks("{id: t, after: [u]}"),
                "s:5:16: after must be a map from task ids to started or succeeded, such as {prepare: succeeded}");
        check(
                tasks("{id: t, after: {u: done}},\n{id: u}"),
                "s:5:20: unknown condition \"done\": expected one of started and succeeded");
        check(
                tasks("{id: t, env: {A: b}}"),
                "s:5:14: env needs a command: add command: with a line for the shell, or a list of a program and its arguments");
    }

    @Test
    void task_withDuplicateId_isReported() {
        check(
                tasks("{id: t, count: 4},\n{id: t-3},\n{id: t-4},\n{id: t}"),
                "s:6:6: duplicate task id \"t-3\" in this application: the first is in line 5",
                "s:8:6: duplicate task id \"t\" in this application: the first is in line 5");
    }

    @Test
    void after_unknownTask_isReported() {
        check(
                tasks("{id: prepare, count: 2},\n{id: t, after: {prepar: started, prepare-1: started}}"),
                "s:6:17: unknown task \"prepar\": did you mean \"prepare\"?",
                "s:6:34: \"prepare-1\" is one task of a group: write \"prepare\" to wait for the whole group");
    }

    @Test
    void after_cyclic_isReported() {
        check(
                tasks(
                        "{id: x, after: {a: started}},\n{id: a, after: {b: started}},\n{id: b, after: {c: started, d: succeeded}},\n{id: c, after: {a: succeeded}},\n{id: d}"),
                "s:6:16: cyclic task dependencies: a after b after c after a");
        check(tasks("{id: a, after: {a: started}}"), "s:5:16: cyclic task dependencies: a after a");
    }

    @Test
    void running_withoutCapacity_isReported() {
        check(
                tasks("{id: t, state: running, node: w-3}"),
                "s:5:31: unknown node \"w-3\" in partition default: with a count of 3, \"w\" is w-0 to w-2");
        check(
                tasks("{id: t, state: running, node: w}"),
                "s:5:31: unknown node \"w\" in partition default: with a count of 3, \"w\" is w-0 to w-2");
        check(
                tasks(
                        "{id: t, count: 3, state: running, node: w-1},\n{id: u, state: starting, node: big, resources: {vcore: 65}}"),
                "s:5:1: node w-1 does not fit t-2: all its slots are in use",
                "s:6:1: node big does not fit u: it requests vcore 65, and 64 is free");
        check(tasks("{id: t, count: 17, state: running, resources: {vcore: 4}}"), "");
        check(
                tasks("{id: t, count: 20, state: running, resources: {vcore: 4}}"),
                "s:5:1: no ready node fits t-19, which is running");
        check(
                tasks("{id: t, state: running, nodeSelector: {disk: ssd}}"),
                "s:5:1: no ready node fits t, which is running");
    }

    @Test
    void allocatedTask_afterMatrixWithoutRoom_isReported() {
        check(
                tasks("{id: prep, matrix: {i: [1, 2]}, nodeSelector: {part: '{i}'}},"
                        + " {id: t, after: {prep: started}, state: running, node: big, resources: {vcore: 65}}"),
                "s:5:63: node big does not fit t: it requests vcore 65, and 64 is free");
    }

    @Test
    void running_withoutNode_getsFirstNodeThatFits() {
        Snapshot snapshot = SnapshotReader.read(
                        "s",
                        tasks(
                                "{id: t, count: 4, state: running, resources: {vcore: 2}},\n{id: u, state: stopping, resources: {vcore: 3}},\n{id: v, state: running, node: w-0}"))
                .value();
        assertThat(RunningTaskPlacement.of(snapshot))
                .extracting(each -> each.entry().spec().taskId(each.index()) + " " + each.node())
                .containsExactly("v w-0", "t-0 w-0", "t-1 w-1", "t-2 w-1", "t-3 w-2", "u big");
    }

    @Test
    void queue_invalid_isReported() {
        check(AT + "queues:\n- {usagepriority: 1}\n", "s:3:3: a queue needs a path, such as root.sandbox");
        check(
                AT + "queues:\n- {path: root.default, usagepriority: -1}\n",
                "s:3:39: a usage priority must be 0 or more, not -1.0");
        check(
                AT + "queues:\n- {path: root.defalt}\n",
                "s:3:10: unknown queue \"root.defalt\": did you mean \"root.default\"?");
        check(AT + "queues:\n- {path: root}\n- {path: Root}\n", "s:4:10: duplicate queue \"root\": first in line 3");
    }

    @Test
    void queueEntry_withoutEffect_warns() {
        ParseResult<Snapshot> reading = SnapshotReader.read("s", """
                at: 2026-01-01T12:00:00Z
                partitions:
                  - queues:
                      - name: root
                        properties: {queue.share.policy: usage}
                        queues:
                          - name: load
                            properties: {queue.share.policy: load, load.rebalance.threshold: 5}
                            queues: [{name: a, properties: {load.percent: 100}}]
                          - name: never
                            properties: {queue.share.policy: load}
                            queues: [{name: a, properties: {load.percent: 100}}]
                queues:
                  - {path: root, overthresholdsince: 2026-01-01T11:00:00Z, usagepriority: 2}
                  - {path: root.load, overthresholdsince: 2026-01-01T11:00:00Z, usagepriority: 2}
                  - {path: root.never, overthresholdsince: 2026-01-01T11:00:00Z}
                  - {path: root.load.a, usagepriority: 2, overmaximumsince: 2026-01-01T11:00:00Z}
                  - {path: root.never.a, quotas: {max: {vcore: 1}}}
                """);
        assertThat(reading.report()).isEmpty();
        String load = "overthresholdsince has no effect: this queue ";
        String usage = "usagepriority has no effect: the parent queue does not have share policy usage";
        assertThat(reading.warnings().stream().map(Object::toString))
                .containsExactly(
                        "s:14:38: " + load + "does not have share policy load",
                        "s:14:75: " + usage,
                        "s:16:44: " + load + "has no load.rebalance.threshold",
                        "s:17:40: " + usage,
                        "s:17:61: overmaximumsince has no effect: this queue preempts nothing for its maximum",
                        "s:18:34: quotas has no effect: the queue is part of the configuration");
    }

    @Test
    void task_requestingMissingType_warnsOnce() {
        ParseResult<Snapshot> reading = SnapshotReader.read("s", """
                at: 2026-01-01T12:00:00Z
                nodes:
                  - {name: n, capacity: {cpu: 4, gpus: 1, fpga: 0}}
                applications:
                  - id: a
                    queue: root.default
                    tasks:
                      - {id: t, resources: {cpu: 1, gpu: 1, fpga: 1, tape: 0}}
                      - {id: u, resources: {gpu: 1}}
                """);
        assertThat(reading.report()).isEmpty();
        assertThat(reading.warnings().stream().map(Object::toString))
                .containsExactly(
                        "s:8:42: no node has the resource type \"gpu\" that this task requests: did you mean \"gpus\"?",
                        "s:8:51: no node has the resource type \"fpga\" that this task requests: expected one of gpus and vcore");
        assertThat(reading.value().nodes().get(0).capacity())
                .isEqualTo(Resources.parse("vcore", "4", "gpus", "1", "fpga", "0"));
    }

    @Test
    void cpuAndVcore_inOneMap_isReported() {
        assertThat(SnapshotReader.read("s", """
                        at: 2026-01-01T12:00:00Z
                        nodes:
                          - {name: n, capacity: {cpu: 4, vcore: 4}}
                        """).report())
                .isEqualTo("s:3:34: cpu and vcore are the same resource type: remove one of them");
    }
}
