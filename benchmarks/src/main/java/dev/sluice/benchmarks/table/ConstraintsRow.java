package dev.sluice.benchmarks.table;

import dev.sluice.benchmarks.BenchmarkCluster;
import dev.sluice.benchmarks.rounds.Rounds;
import dev.sluice.benchmarks.rounds.Variant;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.NodeAffinity;
import dev.sluice.core.application.NodePreference;
import dev.sluice.core.application.NodeSelectorRequirement;
import dev.sluice.core.application.NodeSelectorTerm;
import dev.sluice.core.application.Taint;
import dev.sluice.core.application.TaintEffect;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.Toleration;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.NodeSortPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Tasks without constraints on nodes, and with each kind of them. */
record ConstraintsRow(int warmup, int rounds) implements Row {

    private static final int NODES = 1000;
    private static final int ZONES = 4;
    private static final int CORES = 130;
    private static final int PLACEMENTS = 100_000;
    private static final Taint TAINT = new Taint("team", "a", TaintEffect.NO_SCHEDULE);

    @Override
    public String name() {
        return "constraints";
    }

    @Override
    public String title() {
        return "Constraints on nodes";
    }

    @Override
    public String about() {
        return "One cycle places " + Figures.format(PLACEMENTS) + " tasks of 1 core and 1 GiB on "
                + Figures.format(NODES) + " empty nodes of " + CORES + " cores in " + ZONES + " zones, bin packing."
                + " Each application selects a zone, requires one of two zones, prefers a zone, or tolerates the taint"
                + " of all nodes. The tasks beside constrained ones have no constraints, but before each queue's"
                + " first application one waits whose constraints no node meets.";
    }

    @Override
    public List<Line> measure() {
        List<Variant> variants = List.of(
                variant("without constraints", zone -> Constraints.NONE, false),
                variant("node selector", zone -> Constraints.ofSelector(Map.of("zone", "z" + zone)), false),
                variant("required affinity", ConstraintsRow::required, false),
                variant("preferred affinity", ConstraintsRow::preferred, false),
                variant(
                        "toleration",
                        zone -> Constraints.NONE.withTolerations(
                                List.of(new Toleration("team", Toleration.Operator.EXISTS, "", null, null))),
                        true),
                new Variant("no constraints, beside constrained tasks", () -> {
                    BenchmarkCluster cluster = cluster(false);
                    submitImpossible(cluster);
                    cluster.cycle(0);
                    return placing(cluster, zone -> Constraints.NONE);
                }));
        Rounds measured = Rounds.measure(variants, warmup, rounds);
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < variants.size(); i++) {
            lines.add(Line.info(variants.get(i).name(), Line.PLACEMENTS, measured.perSecond(i)));
        }
        int beside = variants.size() - 1;
        for (int i = 1; i < beside; i++) {
            lines.add(Line.speed(measured, i, 0, Bound.atLeast(0.5, 0.7)));
        }
        lines.add(Line.speed(measured, beside, 0, Bound.atLeast(0.9, 0.97)));
        return lines;
    }

    /** Returns the constraints of the tasks that are meant for a zone. */
    private interface OfZone {
        Constraints of(int zone);
    }

    private static Constraints required(int zone) {
        return required(List.of("z" + zone, "z" + (zone + 1) % ZONES));
    }

    private static Constraints required(List<String> zones) {
        NodeSelectorRequirement isIn = new NodeSelectorRequirement("zone", NodeSelectorRequirement.Operator.IN, zones);
        return Constraints.NONE.withNodeAffinity(
                new NodeAffinity(List.of(new NodeSelectorTerm(List.of(isIn), List.of())), List.of()));
    }

    private static Constraints preferred(int zone) {
        NodeSelectorTerm term =
                new NodeSelectorTerm(List.of(NodeSelectorRequirement.label("zone", "z" + zone)), List.of());
        return Constraints.NONE.withNodeAffinity(new NodeAffinity(List.of(), List.of(new NodePreference(10, term))));
    }

    private static Variant variant(String name, OfZone constraints, boolean tainted) {
        return new Variant(name, () -> {
            BenchmarkCluster cluster = cluster(tainted);
            cluster.cycle(0);
            return placing(cluster, constraints);
        });
    }

    private static BenchmarkCluster cluster(boolean tainted) {
        BenchmarkCluster cluster = new BenchmarkCluster(0, NodeSortPolicy.BIN_PACKING, ApplicationSortPolicy.FIFO);
        for (int node = 0; node < NODES; node++) {
            cluster.addNode("node-" + node, BenchmarkCluster.resources(CORES), Map.of("zone", "z" + node % ZONES));
            if (tainted) {
                cluster.handle(new Command.TaintNode(BenchmarkCluster.PARTITION, "node-" + node, List.of(TAINT)));
            }
        }
        return cluster;
    }

    /** Submits an application to each queue whose tasks select, require or prefer zones, and fit no node. */
    private static void submitImpossible(BenchmarkCluster cluster) {
        for (int i = 0; i < BenchmarkCluster.QUEUES; i++) {
            boolean prefers = i % 3 == 2;
            Constraints constraints = prefers
                    ? preferred(i % ZONES)
                    : i % 3 == 1 ? required(List.of("none-" + i)) : Constraints.ofSelector(Map.of("zone", "none-" + i));
            TaskSpec tasks = TaskSpec.of("t", 10, BenchmarkCluster.resources(prefers ? CORES + 1 : 1))
                    .withConstraints(constraints);
            cluster.submit(ApplicationSpec.sealed("impossible-" + i, BenchmarkCluster.queue(i), tasks));
        }
    }

    /** Submits the tasks; returns the cycle that places them. */
    private static Variant.Work placing(BenchmarkCluster cluster, OfZone constraints) {
        for (int i = 0; i < BenchmarkCluster.APPLICATIONS; i++) {
            TaskSpec tasks = TaskSpec.of("t", PLACEMENTS / BenchmarkCluster.APPLICATIONS, BenchmarkCluster.resources(1))
                    .withConstraints(constraints.of(i % ZONES));
            cluster.submit(ApplicationSpec.sealed("app-" + i, BenchmarkCluster.queue(i), tasks));
        }
        return () -> {
            cluster.cycle(PLACEMENTS);
            return PLACEMENTS;
        };
    }
}
