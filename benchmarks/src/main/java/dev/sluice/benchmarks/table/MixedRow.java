package dev.sluice.benchmarks.table;

import dev.sluice.benchmarks.BenchmarkCluster;
import dev.sluice.benchmarks.rounds.Rounds;
import dev.sluice.benchmarks.rounds.Variant;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Tasks of many sizes, some of which require a label, on different nodes, compared with equal tasks on equal nodes. The
 * sizes are from {@link GpuTrace}.
 */
record MixedRow(int warmup, int rounds, @Nullable Path traces) implements Row {

    /** The environment variable with the directory of traces. */
    static final String VARIABLE = "SLUICE_TRACES";

    private static final int NODES = 10_000;
    private static final int TASKS = 40_000;
    private static final long MIB = 1L << 20;
    private static final String WHAT = "mixed vs. uniform";
    private static final Bound BOUND = Bound.atLeast(0.3, 0.5);

    @Override
    public String name() {
        return "mixed";
    }

    @Override
    public String title() {
        return "Mixed node and task sizes with labels, compared with uniform ones";
    }

    @Override
    public String about() {
        return "The machines of a GPU cluster trace (Alibaba, 2023), repeated to " + Figures.format(NODES)
                + " nodes, and its pods in random order, repeated to " + Figures.format(TASKS)
                + " individually named tasks, with cores, memory and thousandths of GPUs; a third of the GPU tasks"
                + " require a label of the nodes with GPU models that they can use, one label per list of models. Compared"
                + " with as many nodes of the mean capacity and tasks of the mean demand, without labels. Time per placed"
                + " task; some of the mixed tasks fit on no node.";
    }

    @Override
    public List<Line> measure() {
        if (traces == null || !GpuTrace.isIn(traces)) {
            String why = traces == null
                    ? "environment variable " + VARIABLE + " (directory of traces) is not set"
                    : GpuTrace.FOLDER + " not found in the directory " + VARIABLE;
            return List.of(Line.skipped(WHAT, Line.RATIO, BOUND, why));
        }
        GpuTrace trace;
        try {
            trace = GpuTrace.read(traces);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Sizes mixed = mixed(trace);
        Rounds measured =
                Rounds.measure(List.of(variant("mixed", mixed), variant("uniform", mixed.mean())), warmup, rounds);
        return List.of(
                Line.info("mixed", Line.PLACEMENTS, measured.perSecond(0)),
                Line.info("uniform", Line.PLACEMENTS, measured.perSecond(1)),
                Line.speed(measured, 0, 1, BOUND));
    }

    private static Variant variant(String name, Sizes sizes) {
        return new Variant(name, () -> {
            BenchmarkCluster cluster = sizes.cluster();
            return () -> {
                cluster.cycle();
                return cluster.placements();
            };
        });
    }

    /**
     * The capacity and labels of a node, or the demand and required labels of a task.
     *
     * @param gpu thousandths of GPUs
     */
    private record Size(long cpuMilli, long memoryMib, long gpu, Map<String, String> labels) {

        Resources resources() {
            return Resources.of(Map.of(
                    "vcore", new Amount(cpuMilli), "memory", new Amount(memoryMib * MIB), "gpu", new Amount(gpu)));
        }

        /** Returns the mean of these sizes, without labels. */
        static Size mean(List<Size> sizes) {
            return new Size(
                    sizes.stream().mapToLong(Size::cpuMilli).sum() / sizes.size(),
                    sizes.stream().mapToLong(Size::memoryMib).sum() / sizes.size(),
                    sizes.stream().mapToLong(Size::gpu).sum() / sizes.size(),
                    Map.of());
        }
    }

    /** The sizes of all nodes and tasks. */
    private record Sizes(List<Size> nodes, List<Size> tasks) {

        /** Returns as many nodes and tasks, each of the mean size and without labels. */
        Sizes mean() {
            return new Sizes(
                    Collections.nCopies(nodes.size(), Size.mean(nodes)),
                    Collections.nCopies(tasks.size(), Size.mean(tasks)));
        }

        /** Creates a cluster with these nodes and pending tasks. */
        BenchmarkCluster cluster() {
            BenchmarkCluster cluster = new BenchmarkCluster(0, NodeSortPolicy.BIN_PACKING, ApplicationSortPolicy.FIFO);
            for (int i = 0; i < nodes.size(); i++) {
                Size node = nodes.get(i);
                cluster.addNode("node-" + i, node.resources(), node.labels);
            }
            cluster.cycle(0);
            for (int i = 0; i < BenchmarkCluster.APPLICATIONS; i++) {
                List<TaskSpec> specs = new ArrayList<>();
                for (int j = i; j < tasks.size(); j += BenchmarkCluster.APPLICATIONS) {
                    Size task = tasks.get(j);
                    specs.add(TaskSpec.single("task-" + j, task.resources()).withConstraints(task.labels, null));
                }
                cluster.submit(ApplicationSpec.open("app-" + i, BenchmarkCluster.queue(i))
                        .withTasks(specs));
            }
            return cluster;
        }
    }

    /** Repeats the trace: machines in its order, pods in random order, but the same in every run. */
    private static Sizes mixed(GpuTrace trace) {
        TreeSet<String> lists = new TreeSet<>();
        trace.pods().forEach(pod -> lists.add(pod.models()));
        lists.remove("");
        List<Size> nodes = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            GpuTrace.Machine machine = trace.machines().get(i % trace.machines().size());
            Map<String, String> labels = new TreeMap<>();
            for (String list : lists) {
                if (List.of(list.split("\\|")).contains(machine.model())) {
                    labels.put(label(list), "yes");
                }
            }
            nodes.add(new Size(machine.cpuMilli(), machine.memoryMib(), machine.gpuMilli(), labels));
        }
        List<Size> tasks = new ArrayList<>();
        for (int i = 0; i < TASKS; i++) {
            GpuTrace.Pod pod = trace.pods().get(i % trace.pods().size());
            Map<String, String> labels = pod.models().isEmpty() ? Map.of() : Map.of(label(pod.models()), "yes");
            tasks.add(new Size(pod.cpuMilli(), pod.memoryMib(), pod.gpuMilli(), labels));
        }
        Collections.shuffle(tasks, new Random(1));
        return new Sizes(nodes, tasks);
    }

    private static String label(String models) {
        return "gpu-" + models;
    }
}
