package dev.sluice.simulator.simulation;

import dev.sluice.config.queues.QueueConfigurationReader;
import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.simulator.figures.QueueFigures;
import dev.sluice.simulator.figures.ResourceFigures;
import dev.sluice.simulator.figures.RunFigures;
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

/** A small simulation, written down call by call. Times are seconds after {@link #BEGIN}, at which all scenarios begin. */
public final class SimulationScenario {

    /** When every scenario begins. */
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

    /** One queue, {@code root.default}. */
    public static SimulationScenario oneQueue() {
        return queues("queues: [{name: root, queues: [{name: default}]}]");
    }

    /** The default partition, as {@code queues.yaml} has it below its name. */
    public static SimulationScenario queues(String yaml) {
        return partitions("partitions:\n  - name: default\n" + yaml.strip().indent(4));
    }

    /** Everything as {@code queues.yaml} has it. */
    public static SimulationScenario partitions(String yaml) {
        SimulationScenario scenario = new SimulationScenario();
        scenario.partitions.addAll(
                QueueConfigurationReader.read("queues.yaml", yaml).value());
        return scenario;
    }

    /** Nodes {@code n0}, {@code n1} … with so many cores each. */
    public SimulationScenario cores(int... cores) {
        for (int each : cores) {
            node("n" + nodes.size(), Map.of("vcore", each * 1000L));
        }
        return this;
    }

    /** A ready node with these base units. */
    public SimulationScenario node(String name, Map<String, Long> capacity) {
        return node(new NodeEntry(
                name,
                TaskSpec.SINGLE,
                PartitionConfiguration.DEFAULT_NAME,
                amounts(capacity),
                new TreeMap<>(),
                NodeHealth.READY,
                false,
                null));
    }

    /** Any node or nodes. */
    public SimulationScenario node(NodeEntry node) {
        nodes.add(node);
        return this;
    }

    /** One task, in {@code root.default}. */
    public SimulationScenario submit(double at, String id, int cores, double seconds) {
        return submit(at, id, "root.default", cores, seconds);
    }

    /** One task. */
    public SimulationScenario submit(double at, String id, String queue, int cores, double seconds) {
        return submit(at, id, queue, 1, cores, seconds);
    }

    /** So many tasks that are alike. */
    public SimulationScenario submit(double at, String id, String queue, int count, int cores, double seconds) {
        return submit(at, ApplicationSpec.sealed(id, queue, task("t", count, cores)), seconds);
    }

    /** One task of this user. */
    public SimulationScenario submitAs(String user, double at, String id, int cores, double seconds) {
        return submit(
                at,
                ApplicationSpec.sealed(id, "root.default", task("t", 1, cores)).withUser(user),
                seconds);
    }

    /** Any application, with the seconds that the tasks of each specification take. */
    public SimulationScenario submit(double at, ApplicationSpec application, double... seconds) {
        return submit(at, PartitionConfiguration.DEFAULT_NAME, application, seconds);
    }

    /** Any application, in any partition. */
    public SimulationScenario submit(double at, String partition, ApplicationSpec application, double... seconds) {
        arrivals.add(new Arrival(
                time(at),
                partition,
                application,
                Arrays.stream(seconds).mapToObj(SimulationScenario::duration).toList()));
        return this;
    }

    /** Stops then. */
    public SimulationScenario until(double seconds) {
        until = time(seconds);
        return this;
    }

    /** Looks at the cluster so often. */
    public SimulationScenario sampling(double seconds) {
        sampling = duration(seconds);
        return this;
    }

    /** Tells sizes by this resource. */
    public SimulationScenario sizes(String resource) {
        sizeResource = resource;
        return this;
    }

    /** The seed of lots. */
    public SimulationScenario seed(long newSeed) {
        seed = newSeed;
        return this;
    }

    /** Has nodes of which figures count but a part, as the bound of infinite nodes does. */
    public SimulationScenario capacityScale(long scale) {
        capacityScale = scale;
        return this;
    }

    /** What is submitted. */
    public Workload workload() {
        return new ListedWorkload(arrivals);
    }

    /** The nodes. */
    public List<NodeEntry> nodes() {
        return nodes;
    }

    /** The configuration. */
    public List<PartitionConfiguration> configuration() {
        return partitions;
    }

    /** What is simulated. */
    public SimulationSetup setup() {
        return setup(workload());
    }

    /** What is simulated, on another workload. */
    public SimulationSetup setup(Workload workload) {
        return new SimulationSetup(
                "scenario",
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

    /** Simulates it. */
    public Outcome run() {
        return run(workload -> workload);
    }

    /** Simulates it with another workload made of this one. */
    public Outcome run(UnaryOperator<Workload> change) {
        try {
            return new Outcome(Simulation.run(setup(change.apply(workload())), SimulationListener.NONE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What came of it. */
    public record Outcome(RunFigures figures) {

        /** Seconds from the begin to the end. */
        public double end() {
            return Duration.between(figures.begin(), figures.end()).toMillis() / 1000.0;
        }

        /** A queue by its path. */
        public QueueFigures queue(String path) {
            return figures.queues().stream()
                    .filter(queue -> queue.path().equals(path))
                    .findFirst()
                    .orElseThrow();
        }

        /** A user by name. */
        public UserFigures user(String name) {
            return figures.users().stream()
                    .filter(user -> user.name().equals(name))
                    .findFirst()
                    .orElseThrow();
        }

        /** A resource by its type. */
        public ResourceFigures resource(String type) {
            return figures.resources().stream()
                    .filter(resource -> resource.type().equals(type))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Tasks that ask for cores; one of them is named as the specification is. */
    public static TaskSpec task(String name, int count, int cores) {
        Resources resources = amounts(Map.of("vcore", cores * 1000L));
        return count == 1 ? TaskSpec.single(name, resources) : TaskSpec.of(name, count, resources);
    }

    /** Base units by type. */
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
