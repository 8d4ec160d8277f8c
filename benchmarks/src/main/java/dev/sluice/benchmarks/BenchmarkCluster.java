package dev.sluice.benchmarks;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.Limit;
import dev.sluice.core.configuration.LoadProperties;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.ReservationProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.configuration.UsageProperties;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The cluster of most benchmarks: 100 leaf queues below root, 1,000 applications distributed evenly over them, and
 * nodes as added.
 *
 * <p>Below a {@code load} root each class has one percent; below a {@code usage} root the priority factors cycle
 * through 1 to 4.
 */
public final class BenchmarkCluster {

    /** The name of the partition. */
    public static final String PARTITION = "default";

    /** The number of leaf queues. */
    public static final int QUEUES = 100;

    /** The number of applications per submission. */
    public static final int APPLICATIONS = 1000;

    /** The cores of a default node, and its GiB. */
    public static final int CORES = 100;

    private final Scheduler scheduler = new Scheduler();

    /** The instant of commands and cycles. */
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    /** Creates a cluster without nodes. */
    public BenchmarkCluster(NodeSortPolicy nodeOrder, SharePolicyKind sharePolicy, ApplicationSortPolicy sortPolicy) {
        List<QueueConfiguration> leaves = new ArrayList<>();
        for (int i = 0; i < QUEUES; i++) {
            UsageProperties usage = UsageProperties.DEFAULTS;
            QueueProperties properties = QueueProperties.DEFAULTS
                    .withApplicationSortPolicy(sortPolicy)
                    .withLoad(LoadProperties.ofClass(sharePolicy == SharePolicyKind.LOAD ? 100 / QUEUES : 0))
                    .withUsage(new UsageProperties(
                            usage.halftime(),
                            usage.probabilisticAll(),
                            usage.drawsMax(),
                            sharePolicy == SharePolicyKind.USAGE ? 1 + i % 4 : 1));
            leaves.add(QueueConfiguration.of("q" + i, Resources.NONE, Resources.NONE, 0, properties, List.of()));
        }
        QueueConfiguration root = QueueConfiguration.of(
                "root",
                Resources.NONE,
                Resources.NONE,
                0,
                QueueProperties.DEFAULTS.withSharePolicy(sharePolicy),
                leaves);
        handle(new Command.ApplyConfiguration(List.of(new PartitionConfiguration(
                PARTITION, root, List.of(), nodeOrder, PartitionConfiguration.DEFAULT_WEIGHTS, false))));
    }

    /** Creates a cluster of equal nodes below a {@code fair} root. */
    public BenchmarkCluster(int nodes, NodeSortPolicy nodeOrder, ApplicationSortPolicy sortPolicy) {
        this(nodeOrder, SharePolicyKind.FAIR, sortPolicy);
        addNodes(nodes);
    }

    /** Limits each user in root, and in each leaf. */
    public void limitUsers(Resources most, long maxApplications) {
        List<Limit> limits = List.of(new Limit("", List.of(Limit.ALL), List.of(), most, maxApplications));
        PartitionConfiguration before =
                Objects.requireNonNull(scheduler.state().partition(PARTITION)).configuration();
        QueueConfiguration root = before.root().withLimits(limits);
        List<QueueConfiguration> leaves =
                root.children().stream().map(leaf -> leaf.withLimits(limits)).toList();
        handle(new Command.ApplyConfiguration(List.of(before.withRoot(root.withChildren(leaves)))));
    }

    /** Sets when nodes are reserved, and for how many tasks or gangs. */
    public void setReservations(ReservationProperties reservations) {
        PartitionConfiguration before =
                Objects.requireNonNull(scheduler.state().partition(PARTITION)).configuration();
        QueueConfiguration root = before.root();
        QueueProperties properties = root.properties().withReservation(reservations);
        handle(new Command.ApplyConfiguration(List.of(before.withRoot(root.withProperties(properties)))));
    }

    /** Returns the instant of commands and cycles. */
    public Instant now() {
        return now;
    }

    /** Sets the instant of the following commands and cycles. */
    public void setNow(Instant instant) {
        now = instant;
    }

    public void addNodes(int nodes) {
        Resources capacity = resources(CORES);
        for (int i = 0; i < nodes; i++) {
            addNode("node-" + i, capacity, Map.of());
        }
    }

    public void addNode(String name, Resources capacity, Map<String, String> labels) {
        handle(new Command.RegisterNode(PARTITION, name, capacity, new TreeMap<>(labels)));
    }

    /** Returns this many cores and as many GiB. */
    public static Resources resources(int cores) {
        return Resources.parse("vcore", "" + cores, "memory", cores + "Gi");
    }

    /**
     * Submits {@link #APPLICATIONS} applications with this many tasks each; a task takes {@code cores} cores and as
     * many GiB.
     */
    public void submit(String prefix, int tasksEach, int cores) {
        submit(prefix, APPLICATIONS, tasksEach, cores);
    }

    /** Submits applications, distributed round-robin over all queues, with this many tasks each. */
    public void submit(String prefix, int applications, int tasksEach, int cores) {
        Resources resources = resources(cores);
        for (int i = 0; i < applications; i++) {
            submit(ApplicationSpec.sealed(prefix + i, queue(i), TaskSpec.of("t", tasksEach, resources)));
        }
    }

    /** Returns the queue of the application with this number. */
    public static String queue(int application) {
        return "root.q" + application % QUEUES;
    }

    public void submit(ApplicationSpec application) {
        handle(new Command.SubmitApplication(PARTITION, application));
    }

    /** Runs a cycle. */
    public List<Event> cycle() {
        return scheduler.cycle(PARTITION, now);
    }

    /** Runs a cycle and checks that it places this many tasks. */
    public List<Event> cycle(long expected) {
        long before = placements();
        List<Event> events = cycle();
        long placed = placements() - before;
        if (placed != expected || events.size() < placed) {
            throw new IllegalStateException(
                    "expected " + expected + " placements but found " + placed + " (" + events.size() + " events)");
        }
        return events;
    }

    /** Executes a command, which must not be refused. */
    public CommandResult handle(Command command) {
        CommandResult reply = scheduler.handle(command, now);
        if (!reply.isAccepted()) {
            throw new IllegalStateException(command + ": " + reply.refusal());
        }
        return reply;
    }

    /** Returns the number of tasks placed so far. */
    public long placements() {
        Partition partition = Objects.requireNonNull(scheduler.state().partition(PARTITION));
        return partition.placements();
    }
}
