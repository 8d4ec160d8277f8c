package dev.sluice.config;

import dev.sluice.config.snapshot.ApplicationEntry;
import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.config.snapshot.PartitionEntry;
import dev.sluice.config.snapshot.QueueEntry;
import dev.sluice.config.snapshot.Snapshot;
import dev.sluice.config.snapshot.TaskDelay;
import dev.sluice.config.snapshot.TaskEntry;
import dev.sluice.config.snapshot.TaskPart;
import dev.sluice.core.application.ApplicationCondition;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.Attempts;
import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.FailurePolicy;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.HostPort;
import dev.sluice.core.application.LabelSelector;
import dev.sluice.core.application.NodeAffinity;
import dev.sluice.core.application.NodePreference;
import dev.sluice.core.application.NodeSelectorRequirement;
import dev.sluice.core.application.NodeSelectorTerm;
import dev.sluice.core.application.Retries;
import dev.sluice.core.application.StartConditions;
import dev.sluice.core.application.Taint;
import dev.sluice.core.application.TaintEffect;
import dev.sluice.core.application.TaskAffinity;
import dev.sluice.core.application.TaskCommand;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TaskContainer;
import dev.sluice.core.application.TaskPreference;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.application.Toleration;
import dev.sluice.core.application.TopologySpread;
import dev.sluice.core.configuration.AdmissionLimits;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.Limit;
import dev.sluice.core.configuration.LoadProperties;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PlacementRule;
import dev.sluice.core.configuration.PreemptionPolicy;
import dev.sluice.core.configuration.PreemptionProperties;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueConfiguration.ChildTemplate;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.ReservationProperties;
import dev.sluice.core.configuration.RuleFilter;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.configuration.UsageProperties;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.NodeHealth;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Random valid configurations and snapshots; the same seed gives the same values. */
public final class RandomValues {

    private static final Instant AT = Instant.parse("2026-01-01T12:00:00.123456789Z");
    private static final String[] TEXTS = {
        "plain",
        "",
        "null",
        "true",
        "yes",
        "~",
        "1",
        "-1.5",
        "1e5",
        "0x1F",
        "1_000",
        ".inf",
        ".5",
        "a: b",
        "a #b",
        "#",
        "- x",
        "it's",
        "say \"no\"",
        "back\\slash",
        "two\nlines",
        "tab\there",
        "  spaces  ",
        "{a}",
        "[b]",
        "a,b",
        "&a",
        "*b",
        "!c",
        "%d",
        "@e",
        "`f`",
        "|",
        ">",
        "?",
        ":",
        "a:",
        "é",
        "日本",
        "\u0085",
        "\u2028",
        "\u00a0",
        "\u007f",
        "😀",
        "<<",
        "=",
        "2026-01-01",
        "12:30",
        "2026-01-01T00:00:00Z",
        "500m",
        "2Gi",
        "20s",
        "---",
        "...",
        "1d",
        "0o17",
        "+1",
        "\u0001",
        "\ufeff",
        "y",
        "n",
        "No"
    };

    private final SplittableRandom random;

    public RandomValues(long seed) {
        random = new SplittableRandom(seed);
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private int upTo(int max) {
        return random.nextInt(max + 1);
    }

    private <T> T one(T[] values) {
        return values[random.nextInt(values.length)];
    }

    private <T> @Nullable T maybe(int percent, Supplier<T> value) {
        return chance(percent) ? value.get() : null;
    }

    private String text() {
        return one(TEXTS);
    }

    private String name() {
        String text = text();
        boolean usable = !text.isEmpty() && text.chars().noneMatch(Character::isISOControl);
        return (usable ? text : "x") + random.nextInt(1_000_000);
    }

    private SortedMap<String, String> texts() {
        SortedMap<String, String> texts = new TreeMap<>();
        for (int i = upTo(3); i > 0; i--) {
            texts.put(text() + i, text());
        }
        return texts;
    }

    private Resources resources(long max) {
        SortedMap<String, Amount> amounts = new TreeMap<>();
        for (String type : new String[] {"vcore", "memory", "nvidia.com/gpu", "123", "weird: type"}) {
            if (chance(35)) {
                long value = chance(50) ? random.nextLong(max) : random.nextLong(1, 64) * (1L << (upTo(3) * 10));
                amounts.put(type, new Amount(Math.min(value, max)));
            }
        }
        return Resources.of(amounts);
    }

    private Duration duration() {
        return switch (upTo(3)) {
            case 0 -> Duration.ofSeconds(1 + upTo(100_000));
            case 1 -> Duration.ofMillis(1 + upTo(100_000));
            case 2 -> Duration.ofNanos(1 + random.nextLong(1_000_000_000_000_000L));
            default -> Duration.ofDays(1 + upTo(1000));
        };
    }

    private List<Taint> taints() {
        List<Taint> taints = new ArrayList<>();
        for (TaintEffect effect : TaintEffect.values()) {
            if (chance(20)) {
                Taint taint = new Taint(name(), text(), effect);
                taints.add(chance(50) ? taint.addedAt(past()) : taint);
            }
        }
        return taints;
    }

    private Constraints constraints() {
        return Constraints.ofSelector(texts())
                .withNodeAffinity(new NodeAffinity(
                        chance(70) ? List.of() : List.of(term(), term()),
                        chance(70) ? List.of() : List.of(new NodePreference(1 + upTo(99), term()))))
                .withTolerations(
                        chance(50)
                                ? List.of()
                                : List.of(
                                        new Toleration(name(), Toleration.Operator.EQUAL, text(), null, null),
                                        new Toleration(
                                                maybe(50, this::name),
                                                Toleration.Operator.EXISTS,
                                                "",
                                                TaintEffect.NO_EXECUTE,
                                                maybe(50, () -> Duration.ofSeconds(upTo(1_000)))),
                                        new Toleration(
                                                null, Toleration.Operator.EXISTS, "", one(TaintEffect.values()), null)))
                .withTasks(chance(50) ? TaskConstraints.NONE : taskConstraints());
    }

    private TaskConstraints taskConstraints() {
        return new TaskConstraints(
                chance(30) ? new TreeMap<>() : new TreeMap<>(texts()),
                chance(50) ? TaskAffinity.NONE : taskAffinity(),
                chance(50) ? TaskAffinity.NONE : taskAffinity(),
                chance(50)
                        ? List.of()
                        : List.of(
                                TopologySpread.of(
                                        1 + upTo(3), name(), taskTerm().selector()),
                                new TopologySpread(1, name(), false, taskTerm().selector(), 1, chance(50), chance(50)),
                                new TopologySpread(
                                        1, name(), true, taskTerm().selector(), 1 + upTo(3), chance(50), true)),
                chance(60)
                        ? List.of()
                        : List.of(
                                new HostPort(1 + upTo(60_000), one(HostPort.Protocol.values()), HostPort.ANY_IP),
                                new HostPort(80, HostPort.Protocol.TCP, "10.0.0.1")),
                chance(70) ? 0 : 1 + upTo(5));
    }

    private TaskAffinity taskAffinity() {
        return new TaskAffinity(
                chance(40) ? List.of() : List.of(taskTerm()),
                chance(40) ? List.of() : List.of(new TaskPreference(1 + upTo(99), taskTerm())));
    }

    private TaskTerm taskTerm() {
        return new TaskTerm(
                LabelSelector.of(
                        chance(50) ? Map.of() : Map.of(name(), text()),
                        chance(50)
                                ? List.of()
                                : List.of(
                                        new NodeSelectorRequirement(
                                                name(), NodeSelectorRequirement.Operator.DOES_NOT_EXIST, List.of()),
                                        new NodeSelectorRequirement(
                                                name(), NodeSelectorRequirement.Operator.NOT_IN, List.of(name())))),
                name());
    }

    private NodeSelectorTerm term() {
        NodeSelectorRequirement.Operator operator = one(NodeSelectorRequirement.Operator.values());
        List<String> values = switch (operator) {
            case IN, NOT_IN -> List.of(text(), name());
            case GT, LT -> List.of(String.valueOf(random.nextLong()));
            case EXISTS, DOES_NOT_EXIST -> List.of();
        };
        NodeSelectorRequirement field = new NodeSelectorRequirement(
                NodeSelectorRequirement.NAME_FIELD, NodeSelectorRequirement.Operator.NOT_IN, List.of(name()));
        return new NodeSelectorTerm(
                List.of(new NodeSelectorRequirement(name(), operator, values)),
                chance(50) ? List.of() : List.of(field));
    }

    private Instant past() {
        return AT.minusNanos(random.nextLong(1_000_000_000_000_000L));
    }

    private QueueProperties properties() {
        return new QueueProperties(
                maybe(50, () -> one(ApplicationSortPolicy.values())),
                maybe(50, random::nextBoolean),
                chance(50) ? random.nextInt() : 0,
                chance(30),
                one(SharePolicyKind.values()),
                new LoadProperties(
                        maybe(50, () -> upTo(100)),
                        chance(50) ? 0 : upTo(100),
                        chance(50) ? Duration.ofMinutes(4) : duration()),
                new UsageProperties(
                        chance(50) ? Duration.ofMinutes(20) : duration(),
                        chance(30),
                        chance(50) ? 1_000_000 : random.nextLong(1, Long.MAX_VALUE),
                        chance(50) ? 1 : chance(50) ? random.nextDouble() + 1e-9 : 1 + upTo(1_000_000)),
                maybe(30, this::duration),
                AdmissionLimits.NONE,
                new PreemptionProperties(
                        one(PreemptionPolicy.values()),
                        maybe(30, this::duration),
                        maybe(30, random::nextBoolean),
                        maybe(30, this::duration),
                        chance(70) ? Duration.ZERO : duration()),
                new ReservationProperties(maybe(30, this::duration), null));
    }

    private AdmissionLimits admission() {
        return new AdmissionLimits(chance(50) ? 0 : upTo(5), chance(50) ? 0 : random.nextLong(Long.MAX_VALUE));
    }

    private QueueConfiguration queue(String name, int depth) {
        List<QueueConfiguration> children = new ArrayList<>();
        if (depth > 0) {
            for (int i = upTo(3); i > 0; i--) {
                children.add(queue((chance(50) ? "q#a/b:c@d-" : "1") + i, depth - 1));
            }
        }
        List<Limit> limits = new ArrayList<>();
        if (chance(20)) {
            limits.add(new Limit(
                    text(), List.of("alice", "b.o-b@corp$"), List.of("dev", "*"), Resources.parse("vcore", "3"), 0));
        }
        ChildTemplate template = new ChildTemplate(upTo(5), resources(1000), resources(1000), properties());
        boolean empty = template.equals(new ChildTemplate(0, Resources.NONE, Resources.NONE, QueueProperties.DEFAULTS));
        boolean limited = children.isEmpty() && !name.equals("root") && limits.isEmpty();
        Resources max = limited ? resources(Long.MAX_VALUE) : Resources.NONE;
        SortedMap<String, Amount> guaranteed = new TreeMap<>();
        max.amounts().forEach((type, amount) -> guaranteed.put(type, new Amount(Math.min(1000, amount.value() / 2))));
        return new QueueConfiguration(
                name,
                name.equals("root") || chance(20),
                chance(50) ? Resources.NONE : Resources.of(guaranteed),
                max,
                limited ? random.nextLong(Long.MAX_VALUE) : 0,
                name.equals("root")
                        ? properties()
                                .withAdmission(admission())
                                .withReservation(new ReservationProperties(
                                        null, maybe(50, () -> upTo(9)), maybe(50, () -> 1 + upTo(9))))
                        : properties(),
                chance(50) ? "" : one(new String[] {"*", " group", "alice,bob dev", "a  b", "y"}),
                chance(50) ? "" : "admin ops",
                limits,
                chance(20) && !empty ? template : null,
                children);
    }

    private PlacementRule rule(int depth) {
        RuleFilter filter = chance(50)
                ? RuleFilter.EVERYBODY
                : new RuleFilter(chance(50), chance(50) ? List.of("land.*") : List.of("a", "not ok"), List.of());
        PlacementRule.Kind kind = depth == 0 && chance(50) ? PlacementRule.Kind.FIXED : PlacementRule.Kind.USER;
        PlacementRule parent = depth > 0 && chance(30) ? rule(depth - 1) : null;
        if (kind == PlacementRule.Kind.FIXED && parent == null) {
            return new PlacementRule(kind, "root.made", true, null, filter);
        }
        return chance(50)
                ? new PlacementRule(PlacementRule.Kind.TAG, "namespace", true, parent, filter)
                : new PlacementRule(PlacementRule.Kind.USER, "", true, parent, filter);
    }

    public List<PartitionConfiguration> partitions() {
        List<PartitionConfiguration> partitions = new ArrayList<>();
        for (int i = 0; i <= upTo(2); i++) {
            List<PlacementRule> rules = new ArrayList<>();
            for (int r = upTo(3); r > 0; r--) {
                rules.add(rule(1));
            }
            SortedMap<String, Double> weights = new TreeMap<>(PartitionConfiguration.DEFAULT_WEIGHTS);
            if (chance(50)) {
                weights.put("vcore", chance(50) ? random.nextDouble(1e9) : upTo(10));
                weights.put("1", 1e-9);
            }
            partitions.add(new PartitionConfiguration(
                    i == 0 ? "default" : "part " + i + text(),
                    queue("root", 3),
                    rules,
                    one(NodeSortPolicy.values()),
                    weights,
                    chance(70),
                    chance(30),
                    chance(70) ? List.of() : List.of("zone", "rack" + upTo(9))));
        }
        return partitions;
    }

    public Snapshot snapshot() {
        List<PartitionConfiguration> partitions = partitions();
        List<NodeEntry> nodes = new ArrayList<>();
        List<ApplicationEntry> applications = new ArrayList<>();
        List<QueueEntry> queues = new ArrayList<>();
        for (PartitionConfiguration partition : partitions) {
            for (int i = upTo(3); i > 0; i--) {
                nodes.add(new NodeEntry(
                        name() + i,
                        chance(50) ? TaskSpec.SINGLE : 1 + upTo(1000),
                        partition.name(),
                        chance(50) ? Resources.parse("vcore", "1000", "memory", "1000Gi") : resources(1L << 50),
                        texts(),
                        taints(),
                        one(NodeHealth.values()),
                        chance(30),
                        maybe(50, this::past)));
            }
            nodes.add(new NodeEntry(
                    "big",
                    2,
                    partition.name(),
                    Resources.parse("slots", "1000"),
                    texts(),
                    List.of(),
                    NodeHealth.READY,
                    true,
                    null));
            for (int i = upTo(3); i > 0; i--) {
                applications.add(application(partition, name() + i));
            }
            queues.add(new QueueEntry(
                    partition.name(),
                    "root",
                    maybe(50, () -> chance(50) ? random.nextDouble(1e6) : (double) upTo(5)),
                    maybe(50, this::past),
                    maybe(50, this::past),
                    maybe(50, () -> new QueueEntry.Quotas(resources(1L << 50), resources(1L << 50), upTo(5)))));
        }
        List<PartitionEntry> settings = new ArrayList<>();
        for (PartitionConfiguration partition : partitions) {
            if (chance(50)) {
                settings.add(new PartitionEntry(
                        partition.name(), maybe(50, random::nextLong), maybe(50, () -> upTo(Integer.MAX_VALUE - 1))));
            }
        }
        return new Snapshot(AT, chance(50) ? 0 : random.nextLong(), partitions, nodes, applications, queues, settings);
    }

    private ApplicationEntry application(PartitionConfiguration partition, String id) {
        List<TaskEntry> tasks = new ArrayList<>();
        for (int i = 0; i < upTo(5); i++) {
            tasks.add(task(tasks, name() + "x" + i));
        }
        String tag = maybe(30, this::name);
        boolean anywhere = !partition.placementRules().isEmpty();
        Gang gang = gang(partition, tasks);
        return new ApplicationEntry(
                id,
                chance(50) ? id : name(),
                partition.name(),
                anywhere && chance(50) ? "root.any.queue" : null,
                chance(50) ? "nobody" : name(),
                chance(50) ? List.of() : List.of(name(), name()),
                texts(),
                tag,
                tag == null ? null : maybe(50, this::name),
                chance(30) ? AT : past(),
                maybe(30, () -> chance(50) ? ApplicationState.RUNNING : ApplicationState.STARTING),
                maybe(30, this::past),
                maybe(30, this::past),
                chance(50),
                one(FailurePolicy.values()),
                new StartConditions(
                        chance(20),
                        maybe(20, this::past),
                        chance(20) ? Map.of(name(), one(ApplicationCondition.values())) : Map.of()),
                gang,
                gang != null && chance(20),
                tasks,
                false);
    }

    private @Nullable Gang gang(PartitionConfiguration partition, List<TaskEntry> tasks) {
        SortedMap<String, Integer> members = new TreeMap<>();
        for (TaskEntry task : tasks) {
            if (task.spec().after().isEmpty() && chance(30)) {
                members.put(task.spec().name(), 1 + upTo(Math.min(task.spec().size(), 100) - 1));
            }
        }
        return members.isEmpty()
                ? null
                : new Gang(
                        members,
                        one(Gang.Style.values()),
                        chance(50) ? Gang.TIMEOUT_DEFAULT : Duration.ofSeconds(1 + upTo(10_000)),
                        one(Gang.OnLoss.values()),
                        partition.topology().isEmpty()
                                ? null
                                : new Gang.Topology(partition.topology().get(1), chance(50)));
    }

    private Retries retries() {
        int times = retries(0);
        Duration delay = Duration.ofMillis(chance(50) ? 0 : upTo(86_400_000));
        return times == 0 || chance(50)
                ? Retries.of(times)
                : new Retries(
                        times,
                        delay,
                        delay.isZero() ? 1 : 1 + random.nextInt(10) / 8.0,
                        chance(50) ? List.of() : List.of(1 + upTo(100), 102 + upTo(100)));
    }

    private int retries(int usual) {
        return chance(50) ? usual : upTo(chance(50) ? 3 : Integer.MAX_VALUE - 1);
    }

    private TaskEntry task(List<TaskEntry> before, String name) {
        Map<String, TaskCondition> after = new LinkedHashMap<>();
        for (TaskEntry task : before) {
            if (chance(30)) {
                after.put(task.spec().name(), one(TaskCondition.values()));
            }
        }
        TaskState state = one(new TaskState[] {
            TaskState.PENDING,
            TaskState.PENDING,
            TaskState.RUNNING,
            TaskState.STARTING,
            TaskState.STOPPING,
            TaskState.FAILED,
            TaskState.SUCCEEDED,
            TaskState.STOPPED
        });
        boolean isBound = state == TaskState.RUNNING || state == TaskState.STARTING || state == TaskState.STOPPING;
        TaskSpec spec = new TaskSpec(
                name,
                chance(50) ? TaskSpec.SINGLE : 1 + upTo(20),
                isBound ? Resources.parse("vcore", "0") : resources(Long.MAX_VALUE),
                chance(50) ? 0 : random.nextInt(),
                chance(50) ? Duration.ZERO : duration(),
                maybe(20, this::name),
                constraints(),
                maybe(20, () -> "big-0"),
                after,
                new Attempts(retries(), retries(Attempts.LOST_RETRIES_DEFAULT), maybe(50, this::duration), chance(80)));
        boolean shell = chance(30);
        TaskCommand command = maybe(
                40,
                () -> new TaskCommand(
                        shell ? List.of("echo " + text()) : List.of("x" + text(), text(), text()),
                        shell,
                        new TreeMap<>(chance(50) ? Map.of() : Map.of("A B", text(), "1", text())),
                        maybe(30, this::name),
                        maybe(30, this::name),
                        chance(70) ? TaskCommand.UMASK_INHERITED : upTo(TaskCommand.UMASK_MAX),
                        new TreeMap<>(chance(80) ? Map.of() : Map.of("SECRET", "")))); // whose values are not written
        if (command == null || (command.stdin() == null && chance(20))) {
            command = maybe(50, this::containerCommand);
        }
        boolean several = spec.count() != TaskSpec.SINGLE && !isBound;
        return new TaskEntry(
                spec.withCommand(command),
                state,
                isBound ? "big-" + upTo(1) : null,
                isBound ? maybe(50, this::past) : null,
                isBound && spec.size() == 1 ? maybe(50, () -> random.nextLong(Long.MAX_VALUE)) : null,
                maybe(30, () -> Duration.ofSeconds(upTo(1_000_000))),
                several && chance(50) ? parts(spec.size()) : List.of(),
                !several && state == TaskState.PENDING && chance(40) ? List.of(new TaskDelay(0, AT)) : List.of());
    }

    private TaskCommand containerCommand() {
        return new TaskCommand(
                chance(50) ? List.of() : List.of("x" + text(), text()),
                false,
                new TreeMap<>(chance(50) ? Map.of() : Map.of("A", text())),
                maybe(30, () -> "/work"),
                null,
                TaskCommand.UMASK_INHERITED,
                new TreeMap<>(),
                new TaskContainer(
                        "registry/image:" + upTo(9),
                        chance(50) ? "" : "{\"tty\": true, \"args\": [\"true\", 0.5, null, \"0x1\", {}]}",
                        chance(50) ? "" : "{\"hostname\": \"no\", \"volumes\": [{\"name\": \"1\"}, []]}"));
    }

    private List<TaskPart> parts(int size) {
        List<TaskPart> parts = new ArrayList<>();
        for (int first = upTo(2); first < size; first += 1 + upTo(4)) {
            boolean placed = chance(50);
            parts.add(
                    placed
                            ? new TaskPart(
                                    first,
                                    1,
                                    TaskState.RUNNING,
                                    "big-1",
                                    maybe(50, this::past),
                                    random.nextLong(Long.MAX_VALUE))
                            : new TaskPart(first, 1, TaskState.FAILED, null, null, null));
        }
        return parts;
    }
}
