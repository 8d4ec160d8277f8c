package dev.sluice.runtime.journal;

import dev.sluice.core.application.ApplicationCondition;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Attempts;
import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.FailurePolicy;
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
import dev.sluice.core.application.TaskPreference;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.application.Toleration;
import dev.sluice.core.application.TopologySpread;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
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
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.RuleFilter;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.configuration.UsageProperties;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.reference.RandomCluster;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.testing.StateText;
import dev.sluice.runtime.testing.MemoryStore;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Recorded journals, which are never changed. {@link #main} wrote them, and can write another recording: of a later
 * format, or with further kinds of events.
 *
 * <p>A file contains the number of journals; for each the number of its batches; and for each batch its first event,
 * number of events, instant (seconds, nanoseconds), length and bytes.
 */
final class GoldenJournals {

    private static final int SEEDS = 200;
    private static final int PREEMPTING_SEEDS = 50;
    private static final int GANG_SEEDS = 30;

    private GoldenJournals() {}

    /** Writes journals with every kind of event, and their final states. Arguments: folder, number of the recording. */
    public static void main(String[] arguments) throws IOException, StoreException {
        Set<String> seen = new TreeSet<>();
        List<List<Event>> journals = new ArrayList<>();
        add(journals, seen, scripted(), true);
        for (int seed = 0; seed < SEEDS; seed++) {
            RandomCluster cluster = new RandomCluster(seed, seed % 2 == 0, RandomCluster.FEW_NODES);
            (seed % 2 == 0 ? cluster.constrained() : cluster)
                    .controlled()
                    .limited()
                    .run(15);
            add(journals, seen, cluster.journal(), false);
        }
        for (int seed = 0; seed < PREEMPTING_SEEDS; seed++) {
            RandomCluster cluster = new RandomCluster(seed, false, RandomCluster.FEW_NODES);
            cluster.preempting().reserving().run(40);
            add(journals, seen, cluster.journal(), false);
        }
        for (int seed = 0; seed < GANG_SEEDS; seed++) {
            RandomCluster cluster = new RandomCluster(seed, false, RandomCluster.FEW_NODES);
            cluster.ganging().run(40);
            add(journals, seen, cluster.journal(), false);
        }
        Path folder = Path.of(arguments[0]);
        StringBuilder states = new StringBuilder();
        try (DataOutputStream out =
                new DataOutputStream(Files.newOutputStream(folder.resolve("journals-" + arguments[1] + ".bin")))) {
            out.writeInt(journals.size());
            for (List<Event> events : journals) {
                write(events, out);
                Scheduler scheduler = new Scheduler();
                scheduler.restore(events);
                states.append(StateText.of(scheduler.state())).append("end\n");
            }
        }
        Files.writeString(folder.resolve("journals-" + arguments[1] + ".txt"), states);
        System.out.println(journals.size() + " journals, " + seen.size() + " event kinds: " + seen);
    }

    private static void add(List<List<Event>> journals, Set<String> seen, List<Event> events, boolean always) {
        boolean isNew = false;
        for (Event event : events) {
            isNew |= seen.add(event.getClass().getName());
            if (event instanceof TaskEvent.Stopping stopping
                    && stopping.reason().isPreemption()) {
                isNew |= seen.add("for " + stopping.reason());
            }
        }
        if (isNew || always) {
            journals.add(events);
        }
    }

    private static void write(List<Event> events, DataOutputStream out) throws IOException, StoreException {
        MemoryStore store = new MemoryStore();
        Journal journal = new Journal(store);
        for (int from = 0; from < events.size(); from += 20) {
            List<Event> some = events.subList(from, Math.min(events.size(), from + 20));
            Instant at = some.get(some.size() - 1).at();
            if (journal.append(List.of(new JournalEntry(new Cause("kept", "me"), some)), List.of(), at) < 1) {
                throw new IllegalStateException();
            }
        }
        out.writeInt(store.batches().size());
        for (StoredBatch batch : store.batches()) {
            out.writeLong(batch.first());
            out.writeInt(batch.events());
            Instant at = batch.at();
            out.writeLong(at.getEpochSecond());
            out.writeInt(at.getNano());
            out.writeInt(batch.body().length);
            out.write(batch.body());
        }
    }

    /** Reads the journals, each into a store. */
    static List<MemoryStore> read(DataInputStream in) throws IOException, StoreException {
        List<MemoryStore> stores = new ArrayList<>();
        for (int journals = in.readInt(); journals > 0; journals--) {
            MemoryStore store = new MemoryStore();
            for (int batches = in.readInt(); batches > 0; batches--) {
                long first = in.readLong();
                int events = in.readInt();
                Instant at = Instant.ofEpochSecond(in.readLong(), in.readInt());
                store.append(new StoredBatch(first, events, at, in.readNBytes(in.readInt())), List.of());
            }
            stores.add(store);
        }
        return stores;
    }

    /**
     * Returns the events that random clusters do not produce, with every field of partitions, applications and tasks.
     */
    private static List<Event> scripted() {
        List<Event> events = new ArrayList<>();
        Scheduler scheduler = new Scheduler();
        Instant[] now = {Instant.parse("2026-01-01T12:00:00.000000001Z")};
        List<Command> commands = List.of(
                new Command.ApplyConfiguration(List.of(
                        full("full"),
                        PartitionConfiguration.of("gone", full("x").root()))),
                new Command.ApplyConfiguration(List.of(full("full"))),
                new Command.RegisterNode(
                        "full",
                        "node-\u00e4\u20ac",
                        Resources.parse("vcore", "8", "memory", "1Ti", "gpu", "3"),
                        new TreeMap<>(Map.of("disk", "ssd"))),
                new Command.TaintNode(
                        "full",
                        "node-\u00e4\u20ac",
                        List.of(
                                new Taint("gpu", "yes", TaintEffect.PREFER_NO_SCHEDULE),
                                new Taint("drain", "", TaintEffect.NO_EXECUTE))),
                new Command.SubmitApplication("full", application("etl")),
                new Command.SubmitApplication("full", application("etl2").withTag("other", "basis")),
                new Command.SubmitApplication(
                        "full",
                        application("night")
                                .withTag(null, null)
                                .withStart(new StartConditions(
                                        true,
                                        now[0].plusSeconds(3_600),
                                        Map.of("etl2", ApplicationCondition.SUCCEEDED))),
                        true),
                new Command.SubmitApplication("full", ApplicationSpec.open("nowhere", "root.none")),
                new Command.SubmitApplication(
                        "full",
                        ApplicationSpec.open("own", null).withUser("bob").withTags(Map.of("queue", "made"))),
                new Command.SetQueueQuotas(
                        "full", "own", Resources.parse("vcore", "2"), Resources.parse("vcore", "5", "gpu", "1"), 7),
                new Command.SubmitApplication("full", ApplicationSpec.open("late", "root.fixed")),
                new Command.AddTasks("full", "late", List.of(TaskSpec.single("one", Resources.NONE))),
                new Command.SealApplication("full", "late"));
        for (Command command : commands) {
            now[0] = now[0].plusMillis(1_500);
            CommandResult reply = scheduler.handle(command, now[0]);
            if (reply.refusal() != null) {
                throw new IllegalStateException(command + ": " + reply.refusal());
            }
            events.addAll(reply.events());
            if (scheduler.state().partition("full") != null) {
                events.addAll(scheduler.cycle("full", now[0].plusNanos(1_000)));
            }
        }
        return events;
    }

    private static ApplicationSpec application(String id) {
        TaskSpec first = TaskSpec.of("first", 3, Resources.parse("vcore", "500m", "gpu", "1"))
                .withPriority(-7)
                .withExpectedDuration(Duration.ofSeconds(90, 5))
                .withAttempts(new Attempts(
                        new Retries(3, Duration.ofSeconds(30), 1.5, List.of(1, 75)), 1, Duration.ofHours(2), false))
                .withCommand(new TaskCommand(
                        List.of("run", "--it", "\u00fc\ud83d\ude80"),
                        false,
                        new TreeMap<>(Map.of("HOME", "/")),
                        "/tmp",
                        "in.txt",
                        0027,
                        new TreeMap<>(Map.of("KEY", "encrypted"))));
        TaskSpec second = TaskSpec.single("second", Resources.parse("memory", "1Gi"))
                .withDurationKey("key")
                .withConstraints(Map.of("disk", "ssd"), "node-\u00e4\u20ac")
                .withConstraints(constraints())
                .withAfter(Map.of("first", TaskCondition.STARTED))
                .withCommand(TaskCommand.shell("echo $HOME"));
        return new ApplicationSpec(
                id,
                "nightly",
                "root.fixed",
                "alice",
                List.of("staff", "night"),
                new TreeMap<>(Map.of("team", "data")),
                "tag",
                "basis",
                true,
                FailurePolicy.STOP,
                StartConditions.NONE,
                List.of(first, second));
    }

    private static Constraints constraints() {
        NodeSelectorRequirement zone =
                new NodeSelectorRequirement("zone", NodeSelectorRequirement.Operator.NOT_IN, List.of("a", "b"));
        NodeSelectorRequirement name = new NodeSelectorRequirement(
                NodeSelectorRequirement.NAME_FIELD, NodeSelectorRequirement.Operator.IN, List.of("node-\u00e4\u20ac"));
        return Constraints.ofSelector(Map.of("disk", "ssd"))
                .withNodeAffinity(new NodeAffinity(
                        List.of(
                                new NodeSelectorTerm(List.of(zone), List.of(name)),
                                new NodeSelectorTerm(List.of(), List.of())),
                        List.of(new NodePreference(17, new NodeSelectorTerm(List.of(zone), List.of())))))
                .withTolerations(List.of(
                        new Toleration(null, Toleration.Operator.EXISTS, "", null, null),
                        new Toleration(
                                "drain",
                                Toleration.Operator.EQUAL,
                                "v",
                                TaintEffect.NO_EXECUTE,
                                Duration.ofMinutes(5))))
                .withTasks(taskConstraints());
    }

    private static TaskConstraints taskConstraints() {
        TaskTerm term = new TaskTerm(LabelSelector.of(Map.of("app", "web"), List.of()), "zone");
        TaskAffinity affinity = new TaskAffinity(List.of(term), List.of(new TaskPreference(3, term)));
        return new TaskConstraints(
                new TreeMap<>(Map.of("app", "web")),
                affinity,
                affinity,
                List.of(
                        TopologySpread.of(2, "zone", term.selector()),
                        new TopologySpread(1, "rack", true, term.selector(), 3, false, true),
                        new TopologySpread(1, "rack", false, term.selector(), 1, true, false)),
                List.of(
                        new HostPort(8080, HostPort.Protocol.TCP, HostPort.ANY_IP),
                        new HostPort(53, HostPort.Protocol.UDP, "10.0.0.1")),
                2);
    }

    private static PartitionConfiguration full(String name) {
        QueueProperties properties = QueueProperties.DEFAULTS
                .withApplicationSortPolicy(ApplicationSortPolicy.STATE_AWARE)
                .withPriorities(false, -3, true)
                .withLoad(LoadProperties.ofClass(40).withRebalance(20, Duration.ofMinutes(2)))
                .withUsage(new UsageProperties(Duration.ofHours(1), true, 10, 2.5))
                .withPreemption(new PreemptionProperties(
                        PreemptionPolicy.FENCE,
                        Duration.ofMinutes(1),
                        true,
                        Duration.ofMinutes(5),
                        Duration.ofHours(2)))
                .withTaskTimeout(Duration.ofDays(2));
        QueueConfiguration leaf = new QueueConfiguration(
                "fixed",
                false,
                Resources.parse("vcore", "1"),
                Resources.parse("vcore", "100", "gpu", "50"),
                12,
                properties,
                "alice,bob staff",
                "root",
                List.of(new Limit("a limit", List.of("alice"), List.of("*"), Resources.parse("vcore", "90"), 11)),
                null,
                List.of());
        QueueConfiguration made = new QueueConfiguration(
                "made",
                true,
                Resources.NONE,
                Resources.NONE,
                0,
                QueueProperties.DEFAULTS.withSharePolicy(SharePolicyKind.USAGE),
                "",
                "",
                List.of(),
                new QueueConfiguration.ChildTemplate(
                        3, Resources.parse("vcore", "1"), Resources.parse("vcore", "9"), properties),
                List.of());
        QueueConfiguration root = QueueConfiguration.parent("root", leaf, made)
                .withProperties(QueueProperties.DEFAULTS.withAdmission(new AdmissionLimits(100, 50)));
        PlacementRule tag = new PlacementRule(PlacementRule.Kind.TAG, "queue", true, null, RuleFilter.EVERYBODY);
        PlacementRule user = new PlacementRule(
                PlacementRule.Kind.USER, "", true, tag, new RuleFilter(false, List.of("mal.*"), List.of("none")));
        PlacementRule provided = new PlacementRule(PlacementRule.Kind.PROVIDED, "", false, null, RuleFilter.EVERYBODY);
        return new PartitionConfiguration(
                name,
                root,
                List.of(provided, user),
                NodeSortPolicy.BIN_PACKING,
                new TreeMap<>(Map.of("vcore", 0.25, "gpu", 3.0)),
                false,
                true,
                List.of("zone", "rack"));
    }
}
