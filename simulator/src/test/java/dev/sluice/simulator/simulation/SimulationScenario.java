package dev.sluice.simulator.simulation;

import dev.sluice.config.queues.QueueConfigurationReader;
import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import dev.sluice.simulator.figures.QueueFigures;
import dev.sluice.simulator.figures.ResourceFigures;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.RunVariant;
import dev.sluice.simulator.figures.UserFigures;
import dev.sluice.simulator.workload.Arrival;
import dev.sluice.simulator.workload.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A builder of small simulations. Times are in seconds after {@link #BEGIN}, at which all scenarios begin. */
public final class SimulationScenario {

    public static final Instant BEGIN = Instant.parse("2026-01-05T00:00:00Z");

    private final List<PartitionConfiguration> partitions = new ArrayList<>();
    private final List<NodeEntry> nodes = new ArrayList<>();
    private final List<Arrival> arrivals = new ArrayList<>();
    private @Nullable Instant until;
    private Duration sampling = Duration.ofSeconds(1);
    private String sizeResource = "vcore";
    private long capacityScale = 1;
    private long seed;

    private SimulationScenario() {}

    /** Creates a scenario with one queue, {@code root.default}. */
    public static SimulationScenario oneQueue() {
        return queues("queues: [{name: root, queues: [{name: default}]}]");
    }

    /** Creates a scenario with the default partition; the text is what {@code queues.yaml} has below its name. */
    public static SimulationScenario queues(String yaml) {
        return partitions("partitions:\n  - name: default\n" + yaml.strip().indent(4));
    }

    /** Creates a scenario with a whole {@code queues.yaml}. */
    public static SimulationScenario partitions(String yaml) {
        SimulationScenario scenario = new SimulationScenario();
        scenario.partitions.addAll(
                QueueConfigurationReader.read("queues.yaml", yaml).value());
        return scenario;
    }

    /** Adds nodes {@code n0}, {@code n1} … with these numbers of cores. */
    public SimulationScenario cores(int... cores) {
        for (int each : cores) {
            node("n" + nodes.size(), Map.of("vcore", each * 1000L));
        }
        return this;
    }

    /** Adds a ready node with this capacity in base units. */
    public SimulationScenario node(String name, Map<String, Long> capacity) {
        return node(NodeEntry.ready(
                name, TaskSpec.SINGLE, PartitionConfiguration.DEFAULT_NAME, amounts(capacity), new TreeMap<>()));
    }

    /** Adds a node or several equal nodes. */
    public SimulationScenario node(NodeEntry node) {
        nodes.add(node);
        return this;
    }

    /** Submits one task to {@code root.default}. */
    public SimulationScenario submit(double at, String id, int cores, double seconds) {
        return submit(at, id, "root.default", cores, seconds);
    }

    /** Submits one task. */
    public SimulationScenario submit(double at, String id, String queue, int cores, double seconds) {
        return submit(at, id, queue, 1, cores, seconds);
    }

    /** Submits several equal tasks. */
    public SimulationScenario submit(double at, String id, String queue, int count, int cores, double seconds) {
        return submit(at, ApplicationSpec.sealed(id, queue, task("t", count, cores)), seconds);
    }

    /** Submits one task of this user. */
    public SimulationScenario submitAs(String user, double at, String id, int cores, double seconds) {
        return submit(
                at,
                ApplicationSpec.sealed(id, "root.default", task("t", 1, cores)).withUser(user),
                seconds);
    }

    /** Submits an application; the run times are per task specification. */
    public SimulationScenario submit(double at, ApplicationSpec application, double... seconds) {
        return submit(at, PartitionConfiguration.DEFAULT_NAME, application, seconds);
    }

    /** Submits an application to a partition. */
    public SimulationScenario submit(double at, String partition, ApplicationSpec application, double... seconds) {
        arrivals.add(new Arrival(
                time(at),
                partition,
                application,
                Arrays.stream(seconds).mapToObj(SimulationScenario::duration).toList()));
        return this;
    }

    /** Stops the simulation at this time. */
    public SimulationScenario until(double seconds) {
        until = time(seconds);
        return this;
    }

    /** Sets the sampling interval. */
    public SimulationScenario sampling(double seconds) {
        sampling = duration(seconds);
        return this;
    }

    /** Sets the resource that defines task sizes. */
    public SimulationScenario sizes(String resource) {
        sizeResource = resource;
        return this;
    }

    /** Sets the random seed. */
    public SimulationScenario seed(long newSeed) {
        seed = newSeed;
        return this;
    }

    /** Sets the factor by which capacities exceed the reported ones, as in the bound of infinite nodes. */
    public SimulationScenario capacityScale(long scale) {
        capacityScale = scale;
        return this;
    }

    public Workload workload() {
        return new ListedWorkload(arrivals);
    }

    public List<NodeEntry> nodes() {
        return nodes;
    }

    public List<PartitionConfiguration> configuration() {
        return partitions;
    }

    public SimulationSetup setup() {
        return setup(workload());
    }

    /** Returns the parameters of the simulation with another workload. */
    public SimulationSetup setup(Workload workload) {
        return new SimulationSetup(
                new RunVariant("scenario", ""),
                RunFigures.RunKind.CONFIGURATION,
                partitions,
                nodes,
                capacityScale,
                workload,
                BEGIN,
                until,
                sampling,
                sizeResource,
                seed);
    }

    public Outcome run() {
        return run(workload -> workload);
    }

    /** Runs the simulation with a transformed workload. */
    public Outcome run(UnaryOperator<Workload> change) {
        try {
            return new Outcome(Simulation.run(setup(change.apply(workload())), SimulationListener.NONE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The result of a simulation. */
    public record Outcome(RunFigures figures) {

        /** Returns the seconds from the begin to the end. */
        public double end() {
            return Duration.between(figures.begin(), figures.end()).toMillis() / 1000.0;
        }

        public QueueFigures queue(String path) {
            return figures.queues().stream()
                    .filter(queue -> queue.path().equals(path))
                    .findFirst()
                    .orElseThrow();
        }

        public UserFigures user(String name) {
            return figures.users().stream()
                    .filter(user -> user.name().equals(name))
                    .findFirst()
                    .orElseThrow();
        }

        public ResourceFigures resource(String type) {
            return figures.resources().stream()
                    .filter(resource -> resource.type().equals(type))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Creates tasks that request cores; a single one has the name of the specification. */
    public static TaskSpec task(String name, int count, int cores) {
        Resources resources = amounts(Map.of("vcore", cores * 1000L));
        return count == 1 ? TaskSpec.single(name, resources) : TaskSpec.of(name, count, resources);
    }

    /** Creates resources from base units by type. */
    public static Resources amounts(Map<String, Long> amounts) {
        SortedMap<String, Amount> sorted = new TreeMap<>();
        amounts.forEach((type, amount) -> sorted.put(type, new Amount(amount)));
        return Resources.of(sorted);
    }

    private static Instant time(double seconds) {
        return BEGIN.plus(duration(seconds));
    }

    private static Duration duration(double seconds) {
        return Duration.ofMillis(Math.round(seconds * 1000));
    }
}
