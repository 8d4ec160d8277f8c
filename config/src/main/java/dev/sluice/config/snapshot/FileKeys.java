package dev.sluice.config.snapshot;

import static dev.sluice.config.field.Key.SNAPSHOT;
import static dev.sluice.config.field.KeyType.COUNT;
import static dev.sluice.config.field.KeyType.DURATION;
import static dev.sluice.config.field.KeyType.FLAG;
import static dev.sluice.config.field.KeyType.INSTANT;
import static dev.sluice.config.field.KeyType.INT;
import static dev.sluice.config.field.KeyType.NAME;
import static dev.sluice.config.field.KeyType.RESOURCES;
import static dev.sluice.config.field.KeyType.SEED;
import static dev.sluice.config.field.KeyType.STRICT_TEXT;
import static dev.sluice.config.field.KeyType.TEXT;
import static dev.sluice.config.field.KeyType.VALUE;
import static dev.sluice.config.field.KeyType.anyOf;
import static dev.sluice.config.field.KeyType.list;
import static dev.sluice.config.field.KeyType.map;
import static dev.sluice.config.field.KeyType.section;
import static dev.sluice.config.field.KeyType.sections;
import static dev.sluice.config.field.KeyType.whole;
import static dev.sluice.config.field.KeyType.words;
import static dev.sluice.config.field.ReferencePage.JOB_FILE;

import dev.sluice.config.field.Key;
import dev.sluice.config.field.KeyType;
import dev.sluice.config.field.Keys;
import dev.sluice.config.field.ReferencePage;
import dev.sluice.config.matrix.ParameterReader;
import dev.sluice.config.queues.PartitionsReader;
import dev.sluice.core.application.ApplicationCondition;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.FailurePolicy;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import java.util.Arrays;
import java.util.function.Function;

/** The keys of job files and snapshots, with their documentation. */
final class FileKeys {

    private static final KeyType PATH = new KeyType.Text(false, 1, 4096);
    private static final KeyType TASK_STATE = words(Arrays.stream(TaskState.values())
            .filter(state -> state != TaskState.WAITING)
            .map(TaskState::wireName)
            .toList());

    static final Keys PART = Keys.of(
            "part",
            ReferencePage.SNAPSHOT,
            Key.of(
                            "first",
                            whole(0, TaskSpec.COUNT_MAX),
                            "The index of its first task, from 0. Parts are in the order of their tasks and do not overlap.")
                    .isRequired()
                    .eg("3"),
            Key.of("count", whole(1, TaskSpec.COUNT_MAX), "The number of its tasks, one after the other.")
                    .or("1")
                    .eg("5"),
            Key.of("state", TASK_STATE, "The state of its tasks.").isRequired().eg("running"),
            Key.of("node", NAME, "The node of its tasks.")
                    .or("any node that fits")
                    .eg("w-0"),
            Key.of("started", INSTANT, "When its tasks started.")
                    .or("the instant of the snapshot")
                    .eg("2026-01-01T11:30:00Z"),
            Key.of(
                            "placement",
                            COUNT,
                            "The sequence number of the allocation: later allocations have larger numbers. Only for a part"
                                    + " of one task.")
                    .eg("17"));

    static final Keys TASK = Keys.of(
            "task",
            JOB_FILE,
            Key.of(
                            "id",
                            NAME,
                            "The id, unique within the application; with `count`, the common part: `t-0`, `t-1` and so on.")
                    .isRequired()
                    .eg("extract"),
            Key.of("count", whole(1, TaskSpec.COUNT_MAX), "The number of tasks that are alike.")
                    .or("one task with just this id")
                    .eg("20"),
            Key.of(
                            "matrix",
                            map("parameters", anyOf(list(TEXT), section(ParameterReader.RANGE))),
                            "Makes a task for each combination of these values; `{name}` in id, command, environment and other"
                                    + " texts is replaced. See Parameters in the job file reference.")
                    .eg("{lr: [0.1, 0.01], seed: {from: 1, to: 10}}"),
            Key.of(
                            "zip",
                            list(NAME),
                            "Parameters of the matrix that vary together: their first values, their second ones"
                                    + " and so on.")
                    .or("all combinations")
                    .eg("[lr, decay]"),
            Key.of(
                            "exclude",
                            list(map("parameters", TEXT)),
                            "Combinations that make no task. A parameter that is not named may have any value.")
                    .eg("[{lr: 0.1, seed: 3}]"),
            Key.of(
                            "command",
                            anyOf(TEXT, list(TEXT)),
                            "What the task runs: a line for the shell, or a list of a program and its arguments. Required by"
                                    + " `sluice run`; ignored by `plan` and `simulate`.")
                    .eg("\"make test\""),
            Key.of("env", map("variables", TEXT), "Environment variables of the command, beside the inherited ones.")
                    .eg("{LEVEL: debug}"),
            Key.of(
                            "secrets",
                            map("variables", TEXT),
                            "Environment variables of the command whose values are stored encrypted and shown nowhere. An empty"
                                    + " value is that of `--secret`.")
                    .eg("{TOKEN: \"\"}"),
            Key.of("directory", PATH, "The working directory of the command. A relative one is below the default.")
                    .or("where `sluice run` or `sluice submit` was called; else the scratch folder of the run")
                    .eg("/tmp/build"),
            Key.of("stdin", PATH, "The file that the command reads as standard input; relative to `directory`.")
                    .or("`/dev/null`")
                    .eg("input.txt"),
            Key.of(
                            "shell",
                            anyOf(PATH, list(TEXT)),
                            "The program that runs a command line, called with `-c` and the line; a list says what precedes the"
                                    + " line.")
                    .or("`/bin/sh`")
                    .eg("[bash, -euo, pipefail, -c]"),
            Key.of("umask", TEXT, "The permissions that new files of the command do not get, as three octal digits.")
                    .or("that of the program that starts it")
                    .eg("027"),
            Key.of(
                            "image",
                            PATH,
                            "The image of the container in which the task runs, as a pod, on a server with"
                                    + " `--kubernetes`. Without `command`, what the image itself runs.")
                    .eg("\"python:3.13\""),
            Key.of("container", map("fields", VALUE), "Further fields of the container, as Kubernetes writes them.")
                    .eg("{envFrom: [{secretRef: {name: database}}]}"),
            Key.of(
                            "pod",
                            map("fields", VALUE),
                            "Further fields of the `spec` of the pod, as Kubernetes writes them, and its labels and"
                                    + " annotations as `metadata`.")
                    .eg("{imagePullSecrets: [{name: registry}], metadata: {labels: {team: a}}}"),
            Key.of("resources", RESOURCES, "What each task takes, beside one slot. `slots` cannot be requested.")
                    .or("1 core where nodes have cores, else nothing")
                    .eg("{vcore: 2, memory: 4Gi}"),
            Key.of("priority", INT, "Tasks with a higher priority start first.")
                    .or("0")
                    .eg("10"),
            Key.of(
                            "expectedduration",
                            DURATION,
                            "Of equal priority, tasks with a longer expected duration start first.")
                    .or("estimated from earlier runs")
                    .eg("10m"),
            Key.of(
                            "durationkey",
                            NAME,
                            "Tasks with the same key, in any application, share the estimate of their duration.")
                    .or("tasks of the same id in applications of the same name share it")
                    .eg("compile"),
            Key.of("nodeSelector", map("labels", STRICT_TEXT), "Labels that a node must have with these values.")
                    .eg("{disk: ssd}"),
            Key.of(
                            "labels",
                            map("labels", STRICT_TEXT),
                            "Labels of the task itself, by which other tasks select it, and of its pod; to select"
                                    + " nodes, write `nodeSelector`.")
                    .eg("{app: web}"),
            Key.of(
                            "affinity",
                            section(ConstraintKeys.AFFINITY),
                            "Which nodes the task requires and prefers, and which tasks it must or should be beside or"
                                    + " apart from, in the form of Kubernetes.")
                    .eg("{nodeAffinity: {…}}"),
            Key.of(
                            "topologySpreadConstraints",
                            sections(ConstraintKeys.SPREAD),
                            "How evenly tasks are spread over zones, nodes or other domains, in the form of Kubernetes.")
                    .eg("[{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {…}}]"),
            Key.of(
                            "ports",
                            sections(ConstraintKeys.PORT),
                            "Ports of its node that no other task may use at the same time.")
                    .eg("[{hostPort: 8080}]"),
            Key.of(
                            "pernode",
                            whole(1, Integer.MAX_VALUE),
                            "Maximum number of tasks on one node, of those that this entry describes; 1: each on a node"
                                    + " of its own.")
                    .or("any number")
                    .eg("1"),
            Key.of(
                            "tolerations",
                            sections(ConstraintKeys.TOLERATION),
                            "The taints of nodes that the task tolerates, in the form of Kubernetes.")
                    .eg("[{key: gpu, operator: Exists}]"),
            Key.of("requirednode", NAME, "The only node the task may run on.").eg("w-3"),
            Key.of(
                            "after",
                            map("task ids", names(TaskCondition.values(), TaskCondition::wireName)),
                            "Tasks of the same application that must have started or succeeded before this one starts.")
                    .eg("{extract: succeeded}"),
            Key.of(
                            "retries",
                            anyOf(whole(0, Integer.MAX_VALUE), section(RetryKeys.RETRIES)),
                            "How many times the task runs again after it failed, or also when and after which failures.")
                    .or("0")
                    .eg("{times: 3, delay: 30s, backoff: 2}"),
            Key.of(
                            "lostretries",
                            whole(0, Integer.MAX_VALUE),
                            "How many times the task runs again after it was lost with its node; these do not use `retries`.")
                    .or("10")
                    .eg("2"),
            Key.of("timeout", DURATION, "Maximum time of one run; more than 0.")
                    .or("`task.timeout` of the queue")
                    .eg("1h"),
            Key.of("preemptible", FLAG, "Whether the task may be preempted.")
                    .or("true")
                    .eg("false"),
            Key.of(
                            "duration",
                            DURATION,
                            "How long the task runs in a simulation. Required by `sluice simulate`; ignored elsewhere.")
                    .eg("5m"),
            Key.of("state", TASK_STATE, "The state of the tasks that no part mentions.")
                    .or("pending")
                    .eg("running")
                    .onlyIn(SNAPSHOT),
            Key.of("node", NAME, "The node of an allocated task.")
                    .or("any node that fits")
                    .eg("w-0")
                    .onlyIn(SNAPSHOT),
            Key.of("started", INSTANT, "When an allocated task started.")
                    .or("the instant of the snapshot")
                    .eg("2026-01-01T11:30:00Z")
                    .onlyIn(SNAPSHOT),
            Key.of(
                            "placement",
                            COUNT,
                            "The sequence number of the allocation of a single task: later allocations have larger numbers.")
                    .eg("17")
                    .onlyIn(SNAPSHOT),
            Key.of("parts", sections(PART), "Of a task with `count`: tasks that are in another state than the rest.")
                    .eg("[{first: 0, count: 3, state: running}]")
                    .onlyIn(SNAPSHOT),
            Key.of("delays", sections(RetryKeys.DELAY), "The pending tasks that failed and run again later.")
                    .eg("[{until: 2026-01-01T12:00:30Z}]")
                    .onlyIn(SNAPSHOT));

    private static final Key ID = Key.of("id", NAME, "The id, unique within the partition. A snapshot needs it.")
            .or("the name and the next number, such as `nightly-17`; in local runs and simulations the name")
            .eg("nightly-7");
    private static final Key USER =
            Key.of("user", NAME, "The user who submits it.").or("nobody").eg("alice");
    private static final Key SEALED = Key.of(
                    "sealed", FLAG, "Whether no more tasks can be added, so that it ends with its last task.")
            .or("true")
            .eg("false");

    static final Keys APPLICATION = Keys.of(
            "application",
            JOB_FILE,
            ID,
            Key.of("name", NAME, "Shared by applications that do the same work, so that durations can be estimated.")
                    .or("the id; an application has an id, a name or both")
                    .eg("nightly"),
            ClusterKeys.PARTITION,
            Key.of("queue", TEXT, "The path of the queue; placement rules may use it or not.")
                    .or("as placement rules say, else `root.default`")
                    .eg("root.sandbox"),
            USER,
            Key.of("groups", list(NAME), "The groups of the user.").eg("[dev]"),
            Key.of("tags", map("names", STRICT_TEXT), "Tags that placement rules may use.")
                    .eg("{team: web}"),
            Key.of(
                            "tag",
                            NAME,
                            "Identifies the work. Applications of one user with the same tag have the same priority. Not"
                                    + " related to `tags`.")
                    .eg("build-42"),
            Key.of(
                            "basis",
                            NAME,
                            "What the work is built on: it replaces applications of the same user and basis that have another"
                                    + " tag. Needs `tag`.")
                    .eg("branch-7"),
            Key.of(
                            "submitted",
                            anyOf(INSTANT, DURATION),
                            "When it is submitted: an instant that is not after the instant of the file. In simulations any"
                                    + " instant, or a duration after the instant of the file.")
                    .or("the instant of the file")
                    .eg("2026-01-01T11:00:00Z"),
            Key.of("every", DURATION, "Simulations only: the time between repeated submissions. Needs `times`.")
                    .eg("10m"),
            Key.of(
                            "times",
                            whole(1, WorkloadSubmission.TIMES_MAX),
                            "Simulations only: the number of submissions, which become `id-0`, `id-1` and so on. Needs"
                                    + " `every`.")
                    .or("one submission with just this id")
                    .eg("12"),
            SEALED,
            Key.of(
                            "onfailure",
                            names(FailurePolicy.values(), FailurePolicy::wireName),
                            "What happens when a task has failed for good: the others continue, or all are stopped.")
                    .or("continue")
                    .eg("stop"),
            Key.of(
                            "after",
                            map(
                                    "application ids or names",
                                    names(ApplicationCondition.values(), ApplicationCondition::wireName)),
                            "Applications submitted before that must have ended this way before it starts tasks: by id, or by"
                                    + " name for the newest. If one ends otherwise, it is cancelled. Not in simulations.")
                    .eg("{night-17: succeeded}"),
            Key.of(
                            "notbefore",
                            TEXT,
                            "When it may start tasks: a time, without offset in the time zone of the machine that reads the"
                                    + " file (the server's for `sluice submit`), or `+2h` after its submission. Not in"
                                    + " simulations.")
                    .or("at once")
                    .eg("2026-12-01T02:00"),
            Key.of("hold", FLAG, "Whether it starts no tasks until it is released with `sluice release`. Servers only.")
                    .or("false")
                    .eg("true"),
            Key.of("gang", section(() -> GangKeys.GANG), "The tasks that start together or not at all.")
                    .eg("{tasks: {worker: 8}}"),
            Key.of("tasks", sections(TASK), "The tasks.").eg("[{id: t, command: make}]"),
            Key.of("state", names(ApplicationState.values(), ApplicationState::wireName), "The state.")
                    .or("follows from the tasks")
                    .eg("Running")
                    .onlyIn(SNAPSHOT),
            Key.of("statesince", INSTANT, "When it entered its state.")
                    .eg("2026-01-01T11:30:00Z")
                    .onlyIn(SNAPSHOT),
            Key.of("pendingsince", INSTANT, "Since when it has had pending tasks without a break.")
                    .or("its submission")
                    .eg("2026-01-01T11:30:00Z")
                    .onlyIn(SNAPSHOT),
            Key.of(
                            "restarting",
                            FLAG,
                            "Whether its gang starts again (`onloss: restart`): its tasks are being stopped, and none starts"
                                    + " until the last has ended.")
                    .or("false")
                    .eg("true")
                    .onlyIn(SNAPSHOT));

    /** An application sent to a server by itself. */
    static final Keys SUBMISSION = APPLICATION.variant(
            "submission",
            ID.or("the name and the next number; without a name, generated"),
            ClusterKeys.PARTITION.or("that of the path, the only one allowed"),
            USER.or("the caller, else nobody"),
            SEALED.or("false"));

    private static final Key SEED_KEY =
            Key.of("seed", SEED, "The random seed.").or("0").eg("42");
    private static final Key PARTITIONS = Key.of(
                    "partitions", sections(PartitionsReader.KEYS), "The partitions; `--config` replaces them.")
            .or("one partition `default` with the queue `root.default`")
            .eg("[{queues: [{name: sandbox}]}]");
    private static final Key QUEUES =
            Key.of("queues", sections(ClusterKeys.QUEUE_USAGE), "What queues used before the instant of the file.");

    static final Keys JOBS = Keys.of(
                    "job file",
                    JOB_FILE,
                    Key.of(
                                    "at",
                                    INSTANT,
                                    "The instant of the file: when a simulation begins and applications are submitted.")
                            .or("the current time; 1970-01-01T00:00:00Z in simulations")
                            .eg("2026-01-05T08:00:00Z"),
                    SEED_KEY,
                    PARTITIONS,
                    Key.of(
                                    "nodes",
                                    sections(ClusterKeys.NODE),
                                    "The nodes: for `sluice run`, parts of this machine to run tasks on.")
                            .or("this machine")
                            .eg("[{name: w, count: 4, capacity: {vcore: 1}}]"),
                    QUEUES.eg("[{path: root.a, usagepriority: 3}]"),
                    Key.of(
                                    "applications",
                                    sections(APPLICATION),
                                    "The applications. Either these or `tasks` must be there.")
                            .eg("[{id: a, tasks: […]}]"),
                    Key.of(
                                    "tasks",
                                    sections(TASK),
                                    "The tasks of a file with a single application, other keys of which stand beside it.")
                            .eg("[{id: t, command: make}]"))
            .including(APPLICATION);

    static final Keys CLUSTER = Keys.of(
            "snapshot",
            ReferencePage.SNAPSHOT,
            Key.of("at", INSTANT, "The instant of the snapshot; no other instant in the file is after it.")
                    .isRequired()
                    .eg("2026-01-01T12:00:00Z"),
            SEED_KEY,
            PARTITIONS,
            Key.of("nodes", sections(ClusterKeys.NODE), "The nodes.").eg("[{name: w, count: 4, capacity: {vcore: 8}}]"),
            Key.of("applications", sections(APPLICATION), "The applications with their tasks.")
                    .eg("[{id: a, tasks: […]}]"),
            QUEUES.eg("[{path: root.a, usagepriority: 3}]"),
            Key.of(
                            "settings",
                            sections(ClusterKeys.PARTITION_SETTINGS),
                            "Settings of partitions that no configuration holds.")
                    .eg("[{partition: default, throttle: 100}]"));

    static final Keys NODE_LIST = Keys.of(
            "node list",
            ReferencePage.WORKLOAD,
            Key.of("nodes", sections(ClusterKeys.NODE), "The nodes; at least one.")
                    .isRequired()
                    .eg("[{name: w, count: 4, capacity: {vcore: 8}}]"));

    /** The tasks that are added to an application on a server. */
    static final Keys ADDED_TASKS = Keys.of(
            "task list", JOB_FILE, Key.of("tasks", sections(TASK), "The tasks.").isRequired());

    private FileKeys() {}

    static <E> KeyType names(E[] values, Function<E, String> wireName) {
        return words(Arrays.stream(values).map(wireName).toList());
    }
}
