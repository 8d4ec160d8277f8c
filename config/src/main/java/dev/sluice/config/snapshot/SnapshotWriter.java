package dev.sluice.config.snapshot;

import dev.sluice.config.field.DurationText;
import dev.sluice.config.output.AmountsOutput;
import dev.sluice.config.output.JsonPrinter;
import dev.sluice.config.output.Output;
import dev.sluice.config.output.Output.OutputList;
import dev.sluice.config.output.Output.OutputMap;
import dev.sluice.config.output.YamlPrinter;
import dev.sluice.config.queues.QueueConfigurationWriter;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Attempts;
import dev.sluice.core.application.FailurePolicy;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.Retries;
import dev.sluice.core.application.TaskCommand;
import dev.sluice.core.application.TaskContainer;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.NodeState;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes snapshots, without defaults. Reading the result gives equal values. */
public final class SnapshotWriter {

    private SnapshotWriter() {}

    /** Returns the snapshot as YAML. */
    public static String yaml(Snapshot snapshot) {
        return YamlPrinter.print(output(snapshot));
    }

    /** Returns the snapshot as JSON. */
    public static String json(Snapshot snapshot) {
        return JsonPrinter.print(output(snapshot));
    }

    /** Writes the snapshot as YAML in parts: the whole text is never in memory. */
    public static void writeYaml(Snapshot snapshot, Appendable to) throws IOException {
        YamlPrinter.print(output(snapshot), to);
    }

    /** Writes the snapshot as JSON in parts: the whole text is never in memory. */
    public static void writeJson(Snapshot snapshot, Appendable to) throws IOException {
        JsonPrinter.print(output(snapshot), to);
    }

    private static OutputMap output(Snapshot snapshot) {
        OutputMap map = new OutputMap().put("at", Output.text(snapshot.at().toString()));
        if (snapshot.seed() != 0) {
            map.put("seed", Output.number(snapshot.seed()));
        }
        map.put("partitions", QueueConfigurationWriter.output(snapshot.partitions()));
        putList(map, "nodes", snapshot.nodes(), SnapshotWriter::node);
        putList(map, "applications", snapshot.applications(), application -> application(application, snapshot.at()));
        putList(map, "queues", snapshot.queues(), SnapshotWriter::queue);
        putList(map, "settings", snapshot.settings(), SnapshotWriter::settings);
        return map;
    }

    private static OutputMap node(NodeEntry node) {
        OutputMap map = new OutputMap().put("name", Output.text(node.name()));
        if (node.count() != TaskSpec.SINGLE) {
            map.put("count", Output.number(node.count()));
        }
        putPartition(map, node.partition());
        map.put("capacity", AmountsOutput.of(node.capacity()));
        putTexts(map, "labels", node.labels());
        putList(map, "taints", node.taints(), ConstraintsWriter::taint);
        if (node.health() != NodeHealth.READY) {
            map.put("state", Output.text(node.health().wireName()));
            if (node.offline()) {
                map.put("offline", Output.flag(true));
            }
        } else if (node.offline()) {
            map.put("state", Output.text(NodeState.OFFLINE.wireName()));
        }
        putInstant(map, "since", node.since());
        return map;
    }

    private static OutputMap application(ApplicationEntry application, Instant at) {
        OutputMap map = new OutputMap().put("id", Output.text(application.id()));
        if (!application.name().equals(application.id())) {
            map.put("name", Output.text(application.name()));
        }
        putPartition(map, application.partition());
        putText(map, "queue", application.queue());
        if (!application.user().equals(ApplicationSpec.NOBODY)) {
            map.put("user", Output.text(application.user()));
        }
        if (!application.groups().isEmpty()) {
            map.put("groups", Output.texts(application.groups()));
        }
        putTexts(map, "tags", application.tags());
        putText(map, "tag", application.tag());
        putText(map, "basis", application.basis());
        if (!application.submitted().equals(at)) {
            map.put("submitted", Output.text(application.submitted().toString()));
        }
        if (application.state() != null) {
            map.put("state", Output.text(application.state().wireName()));
        }
        putInstant(map, "statesince", application.stateSince());
        putInstant(map, "pendingsince", application.pendingSince());
        if (!application.sealed()) {
            map.put("sealed", Output.flag(false));
        }
        if (application.onFailure() != FailurePolicy.CONTINUE) {
            map.put("onfailure", Output.text(application.onFailure().wireName()));
        }
        if (!application.start().after().isEmpty()) {
            OutputMap after = new OutputMap();
            application.start().after().forEach((id, condition) -> after.put(id, Output.text(condition.wireName())));
            map.put("after", after);
        }
        putInstant(map, "notbefore", application.start().notBefore());
        if (application.start().hold()) {
            map.put("hold", Output.flag(true));
        }
        if (application.gang() != null) {
            map.put("gang", gang(application.gang()));
        }
        if (application.restarting()) {
            map.put("restarting", Output.flag(true));
        }
        putList(map, "tasks", application.tasks(), SnapshotWriter::task);
        return map;
    }

    private static OutputMap gang(Gang gang) {
        OutputMap members = new OutputMap();
        gang.tasks().forEach((name, count) -> members.put(name, Output.number(count)));
        OutputMap map = new OutputMap().put("tasks", members);
        if (gang.style() != Gang.Style.SOFT) {
            map.put("style", Output.text(gang.style().wireName()));
        }
        if (!gang.timeout().equals(Gang.TIMEOUT_DEFAULT)) {
            map.put("timeout", Output.text(DurationText.format(gang.timeout())));
        }
        if (gang.onLoss() != Gang.OnLoss.CONTINUE) {
            map.put("onloss", Output.text(gang.onLoss().wireName()));
        }
        Gang.Topology topology = gang.topology();
        if (topology != null) {
            OutputMap domain = new OutputMap().put("key", Output.text(topology.key()));
            map.put("topology", topology.require() ? domain : domain.put("require", Output.flag(false)));
        }
        return map;
    }

    private static OutputMap task(TaskEntry task) {
        TaskSpec spec = task.spec();
        OutputMap map = new OutputMap().put("id", Output.text(spec.name()));
        if (spec.count() != TaskSpec.SINGLE) {
            map.put("count", Output.number(spec.count()));
        }
        if (task.state() != TaskState.PENDING) {
            map.put("state", Output.text(task.state().wireName()));
        }
        putPlace(map, task.node(), task.started(), task.placement());
        putList(map, "parts", task.parts(), SnapshotWriter::part);
        putList(map, "delays", task.delays(), SnapshotWriter::delay);
        if (!spec.resources().isEmpty()) {
            map.put("resources", AmountsOutput.of(spec.resources()));
        }
        if (spec.priority() != 0) {
            map.put("priority", Output.number(spec.priority()));
        }
        if (!spec.expectedDuration().isZero()) {
            map.put("expectedduration", Output.text(DurationText.format(spec.expectedDuration())));
        }
        putText(map, "durationkey", spec.durationKey());
        ConstraintsWriter.put(map, spec.constraints());
        putText(map, "requirednode", spec.requiredNode());
        if (!spec.after().isEmpty()) {
            OutputMap after = new OutputMap();
            spec.after().forEach((id, condition) -> after.put(id, Output.text(condition.wireName())));
            map.put("after", after);
        }
        putAttempts(map, spec.attempts());
        if (spec.command() != null) {
            putCommand(map, spec.command());
        }
        if (task.duration() != null) {
            map.put("duration", Output.text(DurationText.format(task.duration())));
        }
        return map;
    }

    private static OutputMap delay(TaskDelay delay) {
        OutputMap map = new OutputMap();
        if (delay.index() != 0) {
            map.put("index", Output.number(delay.index()));
        }
        return map.put("until", Output.text(delay.until().toString()));
    }

    private static OutputMap part(TaskPart part) {
        OutputMap map = new OutputMap().put("first", Output.number(part.first()));
        if (part.count() != 1) {
            map.put("count", Output.number(part.count()));
        }
        map.put("state", Output.text(part.state().wireName()));
        putPlace(map, part.node(), part.started(), part.placement());
        return map;
    }

    private static void putPlace(
            OutputMap map, @Nullable String node, @Nullable Instant started, @Nullable Long placement) {
        putText(map, "node", node);
        putInstant(map, "started", started);
        if (placement != null) {
            map.put("placement", Output.number(placement));
        }
    }

    private static void putAttempts(OutputMap map, Attempts attempts) {
        if (!attempts.retries().equals(Retries.NONE)) {
            map.put("retries", retries(attempts.retries()));
        }
        if (attempts.lostRetries() != Attempts.DEFAULTS.lostRetries()) {
            map.put("lostretries", Output.number(attempts.lostRetries()));
        }
        if (attempts.timeout() != null) {
            map.put("timeout", Output.text(DurationText.format(attempts.timeout())));
        }
        if (!attempts.preemptible()) {
            map.put("preemptible", Output.flag(false));
        }
    }

    private static Output retries(Retries retries) {
        if (retries.equals(Retries.of(retries.times()))) {
            return Output.number(retries.times());
        }
        OutputMap map = new OutputMap().put("times", Output.number(retries.times()));
        if (!retries.delay().isZero()) {
            map.put("delay", Output.text(DurationText.format(retries.delay())));
        }
        if (retries.backoff() != 1) {
            map.put("backoff", Output.number(retries.backoff()));
        }
        if (!retries.exitCodes().isEmpty()) {
            map.put("exitcodes", OutputList.of(retries.exitCodes(), Output::number));
        }
        return map;
    }

    private static void putCommand(OutputMap map, TaskCommand command) {
        if (!command.words().isEmpty()) {
            map.put("command", command.shell() ? Output.text(command.words().get(0)) : Output.texts(command.words()));
        }
        putTexts(map, "env", command.environment());
        SortedMap<String, String> secrets = new TreeMap<>();
        command.secrets().keySet().forEach(name -> secrets.put(name, ""));
        putTexts(map, "secrets", secrets);
        putText(map, "directory", command.directory());
        putText(map, "stdin", command.stdin());
        if (command.umask() != TaskCommand.UMASK_INHERITED) {
            map.put("umask", Output.text(String.format(Locale.ROOT, "%03o", command.umask())));
        }
        TaskContainer container = command.container();
        if (container != null) {
            map.put("image", Output.text(container.image()));
            KubernetesFields.put(map, "container", container.container());
            KubernetesFields.put(map, "pod", container.pod());
        }
    }

    private static OutputMap queue(QueueEntry queue) {
        OutputMap map = new OutputMap();
        putPartition(map, queue.partition());
        map.put("path", Output.text(queue.path()));
        if (queue.usagePriority() != null) {
            map.put("usagepriority", Output.number(queue.usagePriority()));
        }
        putInstant(map, "overthresholdsince", queue.overThresholdSince());
        putInstant(map, "overmaximumsince", queue.overMaximumSince());
        QueueEntry.Quotas quotas = queue.quotas();
        if (quotas != null) {
            map.put(
                    "quotas",
                    new OutputMap()
                            .put("guaranteed", AmountsOutput.of(quotas.guaranteed()))
                            .put("max", AmountsOutput.of(quotas.max()))
                            .put("maxapplications", Output.number(quotas.maxApplications())));
        }
        return map;
    }

    private static OutputMap settings(PartitionEntry settings) {
        OutputMap map = new OutputMap();
        putPartition(map, settings.partition());
        if (settings.seed() != null) {
            map.put("seed", Output.number(settings.seed()));
        }
        if (settings.throttle() != null) {
            map.put("throttle", Output.number(settings.throttle()));
        }
        return map;
    }

    private static void putPartition(OutputMap map, String partition) {
        if (!partition.equals(PartitionConfiguration.DEFAULT_NAME)) {
            map.put("partition", Output.text(partition));
        }
    }

    private static void putText(OutputMap map, String key, @Nullable String text) {
        if (text != null) {
            map.put(key, Output.text(text));
        }
    }

    private static void putTexts(OutputMap map, String key, Map<String, String> texts) {
        if (!texts.isEmpty()) {
            map.put(key, Output.texts(texts));
        }
    }

    private static void putInstant(OutputMap map, String key, @Nullable Instant instant) {
        if (instant != null) {
            map.put(key, Output.text(instant.toString()));
        }
    }

    /** Puts a list that converts each value when it is printed, so that a large snapshot is not in memory twice. */
    private static <T> void putList(OutputMap map, String key, List<T> values, Function<T, ? extends Output> maker) {
        if (!values.isEmpty()) {
            map.put(key, OutputList.of(values, maker));
        }
    }
}
