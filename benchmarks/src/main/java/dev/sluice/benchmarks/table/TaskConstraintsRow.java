package dev.sluice.benchmarks.table;

import dev.sluice.benchmarks.BenchmarkCluster;
import dev.sluice.benchmarks.rounds.Rounds;
import dev.sluice.benchmarks.rounds.Variant;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.HostPort;
import dev.sluice.core.application.LabelSelector;
import dev.sluice.core.application.TaskAffinity;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TaskPreference;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.application.Topology;
import dev.sluice.core.application.TopologySpread;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.NodeSortPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Tasks with constraints with regard to other tasks, beside tasks without. */
record TaskConstraintsRow(int warmup, int rounds) implements Row {

    private static final int NODES = 1000;
    private static final int ZONES = 4;
    private static final int CORES = 130;
    private static final int PLACEMENTS = 100_000;
    private static final int APPLICATIONS = 100;

    @Override
    public String name() {
        return "task-constraints";
    }

    @Override
    public String title() {
        return "Pod affinity, topology spread and host ports";
    }

    @Override
    public String about() {
        return "One cycle places " + Figures.format(PLACEMENTS) + " tasks of 1 core and 1 GiB of " + APPLICATIONS
                + " applications on " + Figures.format(NODES) + " empty nodes of " + CORES + " cores in " + ZONES
                + " zones of one region, bin packing. The tasks of each application have a label of their own, and a constraint that"
                + " selects it.";
    }

    @Override
    public List<Line> measure() {
        List<Variant> variants = List.of(
                variant("no labels", constraints -> TaskConstraints.NONE),
                variant("labels alone", constraints -> constraints),
                variant("spread over zones", constraints -> spread(constraints, "zone", true)),
                variant("spread over nodes", constraints -> spread(constraints, Topology.HOST, true)),
                variant(
                        "anti-affinity by node",
                        constraints -> constraints.withAntiAffinity(required(constraints, Topology.HOST))),
                variant("affinity by region", constraints -> constraints.withAffinity(required(constraints, "region"))),
                variant("host port", constraints -> constraints.withPorts(List.of(port(constraints)))),
                variant("pernode: 1", constraints -> constraints.withPerNode(1)),
                variant("spread over zones, preferred", constraints -> spread(constraints, "zone", false)),
                variant(
                        "anti-affinity by zone, preferred",
                        constraints -> constraints.withAntiAffinity(preferred(constraints))));
        Rounds measured = Rounds.measure(variants, warmup, rounds);
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < variants.size(); i++) {
            lines.add(
                    i > 1
                            ? Line.bounded(
                                    variants.get(i).name(),
                                    Line.PLACEMENTS,
                                    measured.perSecond(i),
                                    Bound.atLeast(100_000, 200_000))
                            : Line.info(variants.get(i).name(), Line.PLACEMENTS, measured.perSecond(i)));
        }
        lines.add(Line.speed(measured, 1, 0, Bound.atLeast(0.7, 0.9)));
        return lines;
    }

    private static LabelSelector selector(TaskConstraints constraints) {
        return LabelSelector.of(constraints.labels(), List.of());
    }

    private static TaskConstraints spread(TaskConstraints constraints, String topologyKey, boolean required) {
        return constraints.withSpread(
                List.of(new TopologySpread(1, topologyKey, required, selector(constraints), 1, true, false)));
    }

    private static TaskAffinity required(TaskConstraints constraints, String topologyKey) {
        return new TaskAffinity(List.of(new TaskTerm(selector(constraints), topologyKey)), List.of());
    }

    private static TaskAffinity preferred(TaskConstraints constraints) {
        return new TaskAffinity(List.of(), List.of(new TaskPreference(1, new TaskTerm(selector(constraints), "zone"))));
    }

    private static HostPort port(TaskConstraints constraints) {
        int number = 8000 + Integer.parseInt(constraints.labels().getOrDefault("app", "0"));
        return new HostPort(number, HostPort.Protocol.TCP, HostPort.ANY_IP);
    }

    private static Variant variant(String name, UnaryOperator<TaskConstraints> constraints) {
        return new Variant(name, () -> {
            BenchmarkCluster cluster = new BenchmarkCluster(0, NodeSortPolicy.BIN_PACKING, ApplicationSortPolicy.FIFO);
            for (int node = 0; node < NODES; node++) {
                cluster.addNode(
                        "node-" + node,
                        BenchmarkCluster.resources(CORES),
                        Map.of("zone", "z" + node % ZONES, "region", "r"));
            }
            cluster.cycle(0);
            for (int i = 0; i < APPLICATIONS; i++) {
                TaskConstraints own = TaskConstraints.NONE.withLabels(Map.of("app", String.valueOf(i)));
                TaskSpec tasks = TaskSpec.of("t", PLACEMENTS / APPLICATIONS, BenchmarkCluster.resources(1))
                        .withConstraints(Constraints.NONE.withTasks(constraints.apply(own)));
                cluster.submit(ApplicationSpec.sealed("app-" + i, BenchmarkCluster.queue(i), tasks));
            }
            return () -> {
                cluster.cycle(PLACEMENTS);
                return PLACEMENTS;
            };
        });
    }
}
