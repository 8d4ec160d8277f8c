package dev.sluice.benchmarks.kubernetes;

import dev.sluice.benchmarks.rounds.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Measures Sluice and kube-scheduler on one API server with simulated nodes. They alternate, each newly started; pods
 * are created as fast as possible, and at a steady rate.
 */
public final class KubernetesBenchmark {

    private static final double STEADY = 100;
    private static final double STEADY_LIMITED = 40;

    /** With 50 requests per second more pods would take minutes. */
    private static final int PODS_LIMITED = 1000;

    private KubernetesBenchmark() {}

    /**
     * Measures, and writes {@code kubernetes.json} and {@code kubernetes.md}. Arguments: the result directory, numbers
     * of nodes separated by commas, the number of pods, the number of rounds, and the contenders separated by commas.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path results = Path.of(arguments[0]);
        List<Integer> nodes = Arrays.stream(arguments[1].split(","))
                .map(Integer::valueOf)
                .sorted()
                .toList();
        int pods = Integer.parseInt(arguments[2]);
        int rounds = Integer.parseInt(arguments[3]);
        List<Contender> contenders =
                Arrays.stream(arguments[4].split(",")).map(Contender::named).toList();
        List<KubernetesResults.Row> rows = new ArrayList<>();
        Machine machine = Machine.here();
        Path folder = Files.createTempDirectory("sluice-kubernetes-benchmark");
        try (ControlPlane cluster = ControlPlane.start(folder, Load.NAMESPACES)) {
            Load load = new Load(cluster);
            for (int count : nodes) {
                cluster.growTo(count);
                for (int round = 0; round < rounds; round++) {
                    for (Contender contender : contenders) {
                        boolean isLimited = contender == Contender.KUBE_SCHEDULER_DEFAULT;
                        if (isLimited && round > 0) {
                            continue; // its limit does not vary
                        }
                        Map<Figure, Double> figures = new Round(
                                        cluster,
                                        load,
                                        contender,
                                        isLimited ? Math.min(pods, PODS_LIMITED) : pods,
                                        isLimited ? STEADY_LIMITED : STEADY)
                                .measure(folder.resolve(count + "-" + round + "-" + contender));
                        System.out.println(count + " nodes, round " + (round + 1) + ", " + contender.title() + ": "
                                + KubernetesResults.text(figures));
                        rows.add(new KubernetesResults.Row(count, round, contender, figures));
                    }
                }
            }
        } finally {
            delete(folder);
        }
        KubernetesResults all = new KubernetesResults(machine, pods, rows);
        Files.writeString(results.resolve("kubernetes.json"), all.json());
        Files.writeString(results.resolve("kubernetes.md"), all.markdown());
        System.out.println(all.markdown());
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
