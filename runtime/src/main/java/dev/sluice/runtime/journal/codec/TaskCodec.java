package dev.sluice.runtime.journal.codec;

import static dev.sluice.runtime.journal.codec.PresenceBits.bit;
import static dev.sluice.runtime.journal.codec.PresenceBits.has;

import dev.sluice.core.application.ApplicationCondition;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationUpdate;
import dev.sluice.core.application.Attempts;
import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.FailurePolicy;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.NodeAffinity;
import dev.sluice.core.application.Retries;
import dev.sluice.core.application.StartConditions;
import dev.sluice.core.application.TaskCommand;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskContainer;
import dev.sluice.core.application.TaskKind;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Encodes and decodes submissions. The bits never change their meaning. */
final class TaskCodec {

    private static final int KIND_COUNT = 1;
    private static final int KIND_PRIORITY = 1 << 1;
    private static final int KIND_DURATION = 1 << 2;
    private static final int KIND_DURATION_KEY = 1 << 3;
    private static final int KIND_SELECTOR = 1 << 4;
    private static final int KIND_NODE = 1 << 5;
    private static final int KIND_AFTER = 1 << 6;
    private static final int KIND_ATTEMPTS = 1 << 7;
    private static final int KIND_COMMAND = 1 << 8;
    private static final int KIND_CONSTRAINTS = 1 << 9;
    private static final int KIND_ALL = (1 << 10) - 1;

    private static final int ATTEMPTS_TIMEOUT = 1;
    private static final int ATTEMPTS_DELAY = 1 << 1;
    private static final int ATTEMPTS_EXIT_CODES = 1 << 2;
    private static final int ATTEMPTS_UNPREEMPTIBLE = 1 << 3;
    private static final int ATTEMPTS_ALL = (1 << 4) - 1;

    private static final int UPDATE_QUEUE = 1;
    private static final int UPDATE_TASK = 1 << 1;
    private static final int UPDATE_PRIORITY = 1 << 2;
    private static final int UPDATE_TIMEOUT = 1 << 3;
    private static final int UPDATE_NODE_AFFINITY = 1 << 4;
    private static final int UPDATE_ALL = (1 << 5) - 1;

    private static final int COMMAND_SHELL = 1;
    private static final int COMMAND_ENVIRONMENT = 1 << 1;
    private static final int COMMAND_DIRECTORY = 1 << 2;
    private static final int COMMAND_STDIN = 1 << 3;
    private static final int COMMAND_UMASK = 1 << 4;
    private static final int COMMAND_SECRETS = 1 << 5;
    private static final int COMMAND_CONTAINER = 1 << 6;
    private static final int COMMAND_ALL = (1 << 7) - 1;

    private static final int APPLICATION_NAME = 1;
    private static final int APPLICATION_QUEUE = 1 << 1;
    private static final int APPLICATION_GROUPS = 1 << 2;
    private static final int APPLICATION_TAGS = 1 << 3;
    private static final int APPLICATION_TAG = 1 << 4;
    private static final int APPLICATION_BASIS = 1 << 5;
    private static final int APPLICATION_SEALED = 1 << 6;
    private static final int APPLICATION_ON_FAILURE = 1 << 7;
    private static final int APPLICATION_TASKS = 1 << 8;
    private static final int APPLICATION_START = 1 << 9;
    private static final int APPLICATION_GANG = 1 << 10;
    private static final int APPLICATION_ALL = (1 << 11) - 1;

    private static final int GANG_TOPOLOGY = 1;
    private static final int GANG_TOPOLOGY_REQUIRED = 1 << 1;
    private static final int GANG_ALL = (1 << 2) - 1;

    private static final int START_HOLD = 1;
    private static final int START_NOT_BEFORE = 1 << 1;
    private static final int START_AFTER = 1 << 2;
    private static final int START_ALL = (1 << 3) - 1;

    private TaskCodec() {}

    static void writeKind(ValueWriter to, TaskKind kind) {
        BinaryWriter out = to.out;
        out.number(bit(KIND_COUNT, kind.count() != TaskSpec.SINGLE)
                | bit(KIND_PRIORITY, kind.priority() != 0)
                | bit(KIND_DURATION, !kind.expectedDuration().isZero())
                | bit(KIND_DURATION_KEY, kind.durationKey())
                | bit(KIND_SELECTOR, !kind.constraints().nodeSelector().isEmpty())
                | bit(KIND_NODE, kind.requiredNode())
                | bit(KIND_AFTER, !kind.after().isEmpty())
                | bit(KIND_ATTEMPTS, !kind.attempts().equals(Attempts.DEFAULTS))
                | bit(KIND_COMMAND, kind.command())
                | bit(KIND_CONSTRAINTS, ConstraintsCodec.isWritten(kind.constraints())));
        to.resources(kind.resources());
        if (kind.count() != TaskSpec.SINGLE) {
            out.number(kind.count());
        }
        if (kind.priority() != 0) {
            out.signed(kind.priority());
        }
        if (!kind.expectedDuration().isZero()) {
            out.duration(kind.expectedDuration());
        }
        if (kind.durationKey() != null) {
            out.text(kind.durationKey());
        }
        if (!kind.constraints().nodeSelector().isEmpty()) {
            to.texts(kind.constraints().nodeSelector());
        }
        if (kind.requiredNode() != null) {
            out.text(kind.requiredNode());
        }
        if (!kind.after().isEmpty()) {
            out.number(kind.after().size());
            kind.after().forEach((name, condition) -> {
                out.text(name);
                EnumCodec.TASK_CONDITION.write(out, condition);
            });
        }
        if (!kind.attempts().equals(Attempts.DEFAULTS)) {
            writeAttempts(out, kind.attempts());
        }
        if (kind.command() != null) {
            writeCommand(to, kind.command());
        }
        if (ConstraintsCodec.isWritten(kind.constraints())) {
            ConstraintsCodec.write(to, kind.constraints());
        }
    }

    static TaskKind readKind(ValueReader from) {
        BinaryReader in = from.in;
        int fields = PresenceBits.read(in, KIND_ALL, "kind of tasks");
        Resources resources = from.resources();
        int count = has(fields, KIND_COUNT) ? in.integer() : TaskSpec.SINGLE;
        int priority = has(fields, KIND_PRIORITY) ? in.signedInteger() : 0;
        Duration duration = has(fields, KIND_DURATION) ? in.duration() : Duration.ZERO;
        String durationKey = has(fields, KIND_DURATION_KEY) ? in.text() : null;
        SortedMap<String, String> selector =
                has(fields, KIND_SELECTOR) ? from.namedTexts() : Collections.emptySortedMap();
        String node = has(fields, KIND_NODE) ? in.text() : null;
        Map<String, TaskCondition> after = has(fields, KIND_AFTER) ? readAfter(in) : Map.of();
        Attempts attempts = has(fields, KIND_ATTEMPTS) ? readAttempts(in) : Attempts.DEFAULTS;
        TaskCommand command = has(fields, KIND_COMMAND) ? readCommand(from) : null;
        Constraints constraints = has(fields, KIND_CONSTRAINTS)
                ? ConstraintsCodec.read(from, selector)
                : Constraints.ofSelector(selector);
        return new TaskKind(
                count, resources, priority, duration, durationKey, constraints, node, after, attempts, command);
    }

    private static Map<String, TaskCondition> readAfter(BinaryReader in) {
        int count = in.count();
        Map<String, TaskCondition> after = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            String name = in.text();
            after.put(name, EnumCodec.TASK_CONDITION.read(in));
        }
        return after;
    }

    private static void writeAttempts(BinaryWriter out, Attempts attempts) {
        Retries retries = attempts.retries();
        out.number(bit(ATTEMPTS_TIMEOUT, attempts.timeout())
                | bit(ATTEMPTS_DELAY, !retries.delay().isZero())
                | bit(ATTEMPTS_EXIT_CODES, !retries.exitCodes().isEmpty())
                | bit(ATTEMPTS_UNPREEMPTIBLE, !attempts.preemptible()));
        out.number(retries.times());
        out.number(attempts.lostRetries());
        if (attempts.timeout() != null) {
            out.duration(attempts.timeout());
        }
        if (!retries.delay().isZero()) {
            out.duration(retries.delay());
            out.decimal(retries.backoff());
        }
        if (!retries.exitCodes().isEmpty()) {
            out.number(retries.exitCodes().size());
            retries.exitCodes().forEach(out::number);
        }
    }

    private static Attempts readAttempts(BinaryReader in) {
        int fields = PresenceBits.read(in, ATTEMPTS_ALL, "number of attempts");
        int times = in.integer();
        int lostRetries = in.integer();
        Duration timeout = has(fields, ATTEMPTS_TIMEOUT) ? in.duration() : null;
        Duration delay = has(fields, ATTEMPTS_DELAY) ? in.duration() : Duration.ZERO;
        double backoff = has(fields, ATTEMPTS_DELAY) ? in.decimal() : 1;
        List<Integer> exitCodes = new ArrayList<>();
        for (int left = has(fields, ATTEMPTS_EXIT_CODES) ? in.count() : 0; left > 0; left--) {
            exitCodes.add(in.integer());
        }
        return new Attempts(
                new Retries(times, delay, backoff, exitCodes),
                lostRetries,
                timeout,
                !has(fields, ATTEMPTS_UNPREEMPTIBLE));
    }

    static void writeUpdate(ValueWriter to, ApplicationUpdate update) {
        BinaryWriter out = to.out;
        out.number(bit(UPDATE_QUEUE, update.queue())
                | bit(UPDATE_TASK, update.task())
                | bit(UPDATE_PRIORITY, update.priority())
                | bit(UPDATE_TIMEOUT, update.timeout())
                | bit(UPDATE_NODE_AFFINITY, update.nodeAffinity()));
        if (update.queue() != null) {
            out.text(update.queue());
        }
        if (update.task() != null) {
            out.text(update.task());
        }
        if (update.priority() != null) {
            out.signed(update.priority());
        }
        if (update.timeout() != null) {
            out.duration(update.timeout());
        }
        to.resources(update.resources());
        if (update.nodeAffinity() != null) {
            ConstraintsCodec.write(to, Constraints.NONE.withNodeAffinity(update.nodeAffinity()));
        }
    }

    static ApplicationUpdate readUpdate(ValueReader from) {
        BinaryReader in = from.in;
        int fields = PresenceBits.read(in, UPDATE_ALL, "update");
        String queue = has(fields, UPDATE_QUEUE) ? in.text() : null;
        String task = has(fields, UPDATE_TASK) ? in.text() : null;
        Integer priority = has(fields, UPDATE_PRIORITY) ? Integer.valueOf(in.signedInteger()) : null;
        Duration timeout = has(fields, UPDATE_TIMEOUT) ? in.duration() : null;
        Resources resources = from.resources();
        NodeAffinity affinity = has(fields, UPDATE_NODE_AFFINITY)
                ? ConstraintsCodec.read(from, new TreeMap<>()).nodeAffinity()
                : null;
        return new ApplicationUpdate(queue, task, priority, timeout, resources, affinity);
    }

    private static void writeCommand(ValueWriter to, TaskCommand command) {
        BinaryWriter out = to.out;
        out.number(bit(COMMAND_SHELL, command.shell())
                | bit(COMMAND_ENVIRONMENT, !command.environment().isEmpty())
                | bit(COMMAND_DIRECTORY, command.directory())
                | bit(COMMAND_STDIN, command.stdin())
                | bit(COMMAND_UMASK, command.umask() != TaskCommand.UMASK_INHERITED)
                | bit(COMMAND_SECRETS, !command.secrets().isEmpty())
                | bit(COMMAND_CONTAINER, command.container()));
        to.texts(command.words());
        if (!command.environment().isEmpty()) {
            to.texts(command.environment());
        }
        if (command.directory() != null) {
            out.text(command.directory());
        }
        if (command.stdin() != null) {
            out.text(command.stdin());
        }
        if (command.umask() != TaskCommand.UMASK_INHERITED) {
            out.number(command.umask());
        }
        if (!command.secrets().isEmpty()) {
            to.texts(command.secrets());
        }
        TaskContainer container = command.container();
        if (container != null) {
            out.text(container.image());
            out.text(container.container());
            out.text(container.pod());
        }
    }

    private static TaskCommand readCommand(ValueReader from) {
        BinaryReader in = from.in;
        int fields = PresenceBits.read(in, COMMAND_ALL, "command");
        List<String> words = from.texts();
        SortedMap<String, String> environment =
                has(fields, COMMAND_ENVIRONMENT) ? from.namedTexts() : Collections.emptySortedMap();
        String directory = has(fields, COMMAND_DIRECTORY) ? in.text() : null;
        String stdin = has(fields, COMMAND_STDIN) ? in.text() : null;
        int umask = has(fields, COMMAND_UMASK) ? in.integer() : TaskCommand.UMASK_INHERITED;
        SortedMap<String, String> secrets =
                has(fields, COMMAND_SECRETS) ? from.namedTexts() : Collections.emptySortedMap();
        TaskContainer container =
                has(fields, COMMAND_CONTAINER) ? new TaskContainer(in.text(), in.text(), in.text()) : null;
        return new TaskCommand(
                words, has(fields, COMMAND_SHELL), environment, directory, stdin, umask, secrets, container);
    }

    static void writeTasks(ValueWriter to, List<TaskSpec> tasks) {
        to.out.number(tasks.size());
        for (TaskSpec task : tasks) {
            to.out.text(task.name());
            to.kind(task.kind());
        }
    }

    static List<TaskSpec> readTasks(ValueReader from) {
        int count = from.in.count();
        List<TaskSpec> tasks = new ArrayList<>(BinaryReader.initialCapacity(count));
        for (int i = 0; i < count; i++) {
            String name = from.in.text();
            tasks.add(new TaskSpec(name, from.kind()));
        }
        return tasks;
    }

    /** Writes an application and its tasks; the list may be empty. */
    static void writeApplication(ValueWriter to, ApplicationSpec spec, List<TaskSpec> tasks) {
        BinaryWriter out = to.out;
        out.number(bit(APPLICATION_NAME, !spec.name().equals(spec.id()))
                | bit(APPLICATION_QUEUE, spec.queue())
                | bit(APPLICATION_GROUPS, !spec.groups().isEmpty())
                | bit(APPLICATION_TAGS, !spec.tags().isEmpty())
                | bit(APPLICATION_TAG, spec.tag())
                | bit(APPLICATION_BASIS, spec.basis())
                | bit(APPLICATION_SEALED, spec.sealed())
                | bit(APPLICATION_ON_FAILURE, spec.onFailure() != FailurePolicy.CONTINUE)
                | bit(APPLICATION_TASKS, !tasks.isEmpty())
                | bit(APPLICATION_START, !spec.start().equals(StartConditions.NONE))
                | bit(APPLICATION_GANG, spec.gang()));
        out.text(spec.id());
        out.text(spec.user());
        if (!spec.name().equals(spec.id())) {
            out.text(spec.name());
        }
        if (spec.queue() != null) {
            out.text(spec.queue());
        }
        if (!spec.groups().isEmpty()) {
            to.texts(spec.groups());
        }
        if (!spec.tags().isEmpty()) {
            to.texts(spec.tags());
        }
        if (spec.tag() != null) {
            out.text(spec.tag());
        }
        if (spec.basis() != null) {
            out.text(spec.basis());
        }
        if (spec.onFailure() != FailurePolicy.CONTINUE) {
            EnumCodec.FAILURE_POLICY.write(out, spec.onFailure());
        }
        if (!tasks.isEmpty()) {
            writeTasks(to, tasks);
        }
        if (!spec.start().equals(StartConditions.NONE)) {
            writeStart(out, spec.start());
        }
        if (spec.gang() != null) {
            writeGang(out, spec.gang());
        }
    }

    private static void writeGang(BinaryWriter out, Gang gang) {
        Gang.Topology topology = gang.topology();
        out.number(bit(GANG_TOPOLOGY, topology) | bit(GANG_TOPOLOGY_REQUIRED, topology != null && topology.require()));
        out.number(gang.tasks().size());
        gang.tasks().forEach((name, members) -> {
            out.text(name);
            out.number(members);
        });
        EnumCodec.GANG_STYLE.write(out, gang.style());
        out.duration(gang.timeout());
        EnumCodec.GANG_ON_LOSS.write(out, gang.onLoss());
        if (topology != null) {
            out.text(topology.key());
        }
    }

    private static Gang readGang(BinaryReader in) {
        int fields = PresenceBits.read(in, GANG_ALL, "gang");
        SortedMap<String, Integer> tasks = new TreeMap<>();
        for (int left = in.count(); left > 0; left--) {
            String name = in.text();
            tasks.put(name, in.integer());
        }
        Gang.Style style = EnumCodec.GANG_STYLE.read(in);
        Duration timeout = in.duration();
        Gang.OnLoss onLoss = EnumCodec.GANG_ON_LOSS.read(in);
        Gang.Topology topology =
                has(fields, GANG_TOPOLOGY) ? new Gang.Topology(in.text(), has(fields, GANG_TOPOLOGY_REQUIRED)) : null;
        return new Gang(tasks, style, timeout, onLoss, topology);
    }

    private static void writeStart(BinaryWriter out, StartConditions start) {
        out.number(bit(START_HOLD, start.hold())
                | bit(START_NOT_BEFORE, start.notBefore())
                | bit(START_AFTER, !start.after().isEmpty()));
        if (start.notBefore() != null) {
            out.instant(start.notBefore());
        }
        if (!start.after().isEmpty()) {
            out.number(start.after().size());
            start.after().forEach((application, condition) -> {
                out.text(application);
                EnumCodec.APPLICATION_CONDITION.write(out, condition);
            });
        }
    }

    private static StartConditions readStart(BinaryReader in) {
        int fields = PresenceBits.read(in, START_ALL, "start conditions");
        Instant notBefore = has(fields, START_NOT_BEFORE) ? in.instant() : null;
        Map<String, ApplicationCondition> after = new LinkedHashMap<>();
        for (int left = has(fields, START_AFTER) ? in.count() : 0; left > 0; left--) {
            String application = in.text();
            after.put(application, EnumCodec.APPLICATION_CONDITION.read(in));
        }
        return new StartConditions(has(fields, START_HOLD), notBefore, after);
    }

    static ApplicationSpec readApplication(ValueReader from) {
        BinaryReader in = from.in;
        int fields = PresenceBits.read(in, APPLICATION_ALL, "submission");
        String id = in.text();
        String user = in.text();
        String name = has(fields, APPLICATION_NAME) ? in.text() : id;
        String queue = has(fields, APPLICATION_QUEUE) ? in.text() : null;
        List<String> groups = has(fields, APPLICATION_GROUPS) ? from.texts() : List.of();
        SortedMap<String, String> tags =
                has(fields, APPLICATION_TAGS) ? from.namedTexts() : Collections.emptySortedMap();
        String tag = has(fields, APPLICATION_TAG) ? in.text() : null;
        String basis = has(fields, APPLICATION_BASIS) ? in.text() : null;
        FailurePolicy onFailure =
                has(fields, APPLICATION_ON_FAILURE) ? EnumCodec.FAILURE_POLICY.read(in) : FailurePolicy.CONTINUE;
        List<TaskSpec> tasks = has(fields, APPLICATION_TASKS) ? readTasks(from) : List.of();
        StartConditions start = has(fields, APPLICATION_START) ? readStart(in) : StartConditions.NONE;
        Gang gang = has(fields, APPLICATION_GANG) ? readGang(in) : null;
        boolean sealed = has(fields, APPLICATION_SEALED);
        return new ApplicationSpec(
                id, name, queue, user, groups, tags, tag, basis, sealed, onFailure, start, gang, tasks);
    }
}
