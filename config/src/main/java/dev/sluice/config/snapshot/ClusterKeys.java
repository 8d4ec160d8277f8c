package dev.sluice.config.snapshot;

import static dev.sluice.config.field.KeyType.COUNT;
import static dev.sluice.config.field.KeyType.FLAG;
import static dev.sluice.config.field.KeyType.INSTANT;
import static dev.sluice.config.field.KeyType.NAME;
import static dev.sluice.config.field.KeyType.NUMBER;
import static dev.sluice.config.field.KeyType.RESOURCES;
import static dev.sluice.config.field.KeyType.SEED;
import static dev.sluice.config.field.KeyType.STRICT_TEXT;
import static dev.sluice.config.field.KeyType.TEXT;
import static dev.sluice.config.field.KeyType.map;
import static dev.sluice.config.field.KeyType.section;
import static dev.sluice.config.field.KeyType.sections;
import static dev.sluice.config.field.KeyType.whole;
import static dev.sluice.config.field.ReferencePage.JOB_FILE;

import dev.sluice.config.field.Key;
import dev.sluice.config.field.Keys;
import dev.sluice.config.field.ReferencePage;
import dev.sluice.core.state.NodeState;

/** The keys of nodes, and of what snapshots say about queues and partitions. */
final class ClusterKeys {

    static final Key PARTITION = Key.of("partition", TEXT, "The name of its partition.")
            .or("default")
            .eg("gpu");

    static final Keys NODE = Keys.of(
            "node",
            JOB_FILE,
            Key.of("name", NAME, "The name of the node; with `count`, the common part: `w-0`, `w-1` and so on.")
                    .isRequired()
                    .eg("w"),
            Key.of("count", whole(1, NodeEntry.COUNT_MAX), "The number of nodes that are alike.")
                    .or("one node with just this name")
                    .eg("100"),
            PARTITION,
            Key.of(
                            "capacity",
                            RESOURCES,
                            "What each node has. `slots` is the maximum number of tasks; without it there is no maximum.")
                    .isRequired()
                    .eg("{vcore: 16, memory: 64Gi}"),
            Key.of("labels", map("labels", STRICT_TEXT), "Labels that tasks may require.")
                    .eg("{disk: ssd}"),
            Key.of(
                            "taints",
                            sections(ConstraintKeys.TAINT),
                            "What keeps away tasks that do not tolerate it, in the form of Kubernetes; at most one taint"
                                    + " with the same key and effect.")
                    .eg("[{key: gpu, effect: NoSchedule}]"),
            Key.of(
                            "state",
                            FileKeys.names(NodeState.values(), NodeState::wireName),
                            "Only `ready` nodes get tasks. `offline`: drained by an operator; `suspended`: not heard from;"
                                    + " `lost`: not heard from for long; `flaky`: tasks fail there.")
                    .or("ready")
                    .eg("offline"),
            Key.of("offline", FLAG, "Whether a `suspended`, `lost` or `flaky` node is also drained by an operator.")
                    .or("false")
                    .eg("true"),
            Key.of("since", INSTANT, "When the node entered its state. Snapshots only: no effect in other files.")
                    .or("the instant of the file")
                    .eg("2026-01-01T11:30:00Z"));

    static final Keys QUEUE_QUOTAS = Keys.of(
            "queue quotas",
            JOB_FILE,
            Key.of("guaranteed", RESOURCES, "The guaranteed amount per resource type.")
                    .eg("{vcore: 8}"),
            Key.of("max", RESOURCES, "The maximum per resource type.")
                    .or("no limit")
                    .eg("{vcore: 16, memory: 64Gi}"),
            Key.of("maxapplications", COUNT, "Maximum number of running applications; 0 means no limit.")
                    .or("0")
                    .eg("20"));

    static final Keys QUEUE_USAGE = Keys.of(
            "queue usage",
            JOB_FILE,
            PARTITION,
            Key.of("path", TEXT, "The path of the queue.").isRequired().eg("root.sandbox"),
            Key.of(
                            "usagepriority",
                            NUMBER,
                            "The decayed past usage of the queue, in cores, 0 or more. It counts below a parent with share"
                                    + " policy `usage`.")
                    .or("0")
                    .eg("12.5"),
            Key.of(
                            "overthresholdsince",
                            INSTANT,
                            "Since when the spread below this `load` queue has been above its threshold. Snapshots only:"
                                    + " no effect in other files.")
                    .or("it is not above the threshold")
                    .eg("2026-01-01T11:58:00Z"),
            Key.of(
                            "overmaximumsince",
                            INSTANT,
                            "Since when the queue has used more than its maximum, if its tasks are preempted for that"
                                    + " (`quota.preemption.delay`). Snapshots only: no effect in other files.")
                    .or("the first cycle")
                    .eg("2026-01-01T11:00:00Z"),
            Key.of(
                            "quotas",
                            section(QUEUE_QUOTAS),
                            "The quotas of a queue that a placement rule created, such as those of a namespace. Snapshots"
                                    + " only: no effect in other files.")
                    .or("those of the template")
                    .eg("{max: {vcore: 16}}"));

    static final Keys PARTITION_SETTINGS = Keys.of(
            "partition settings",
            ReferencePage.SNAPSHOT,
            PARTITION,
            Key.of("seed", SEED, "The random seed of the partition.")
                    .or("the seed of the snapshot")
                    .eg("42"),
            Key.of("throttle", whole(0, Integer.MAX_VALUE), "Maximum number of allocated tasks in the partition.")
                    .or("no limit")
                    .eg("100"));

    private ClusterKeys() {}
}
