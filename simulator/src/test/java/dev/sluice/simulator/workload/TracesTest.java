package dev.sluice.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.resource.Resources;
import dev.sluice.simulator.workload.csv.CsvNodes;
import dev.sluice.simulator.workload.csv.CsvWorkload;
import dev.sluice.simulator.workload.swf.SwfWorkload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Published traces, which are too large for the repository: the variable {@code SLUICE_TRACES} names their directory.
 */
class TracesTest {

    private static final double DAY = 86_400;
    private static final Path EXAMPLES = Path.of("..", "examples", "traces");

    private Path traces = Path.of("");

    @BeforeEach
    void findTraces() {
        String directory = System.getenv("SLUICE_TRACES");
        assumeTrue(
                directory != null && !directory.isEmpty(),
                "skipped: set SLUICE_TRACES to the directory of the published traces");
        traces = Path.of(directory);
    }

    /** Computes the statistics and prints how long the pass took. */
    private static WorkloadStatistics statistics(Workload workload) throws IOException {
        WorkloadStatistics first = WorkloadStatistics.of(workload);
        long start = System.nanoTime();
        WorkloadStatistics second = WorkloadStatistics.of(workload);
        long millis = (System.nanoTime() - start) / 1_000_000;
        System.out.println(workload.name() + ": " + millis + " ms for the second pass; " + second);
        assertThat(second).isEqualTo(first);
        return second;
    }

    @Test
    @Tag("slow")
    void lcg_everyJob_isRead() throws IOException {
        Workload workload =
                SwfWorkload.read(traces.resolve("lcg-2005-swf/LCG.swf.gz")).value();
        WorkloadStatistics statistics = statistics(workload);

        assertThat(statistics.applications()).isEqualTo(188_041);
        assertThat(statistics.tasks()).isEqualTo(188_041);
        assertThat(statistics.users()).isEqualTo(216);
        assertThat(statistics.malformed()).isEqualTo(new MalformedLines(188_041, 0, List.of()));
        assertThat(statistics.inOrder()).isTrue();
        assertThat(statistics.first()).isEqualTo(Instant.ofEpochSecond(1_132_444_805));
        assertThat(statistics.last()).isEqualTo(Instant.ofEpochSecond(1_132_444_805 + 950_392));
        assertThat(statistics.largestTask()).isEqualTo(Resources.parse("vcore", "1"));
        assertThat(statistics.work().getOrDefault("slots", 0.0) / DAY).isCloseTo(17_390, Offset.offset(1.0));
        assertThat(workload.nodes().get(0).capacity()).isEqualTo(Resources.parse("vcore", "24515"));
        assertThat(WorkloadTexts.pass(workload).arrivals().get(2).application().tags())
                .isEqualTo(Map.of("group", "group1", "partition", "grid_kiae_ru"));
    }

    @Test
    void nasa_everyJob_isRead() throws IOException {
        Workload workload = SwfWorkload.read(traces.resolve("nasa-ipsc-1993-swf/NASA-iPSC-1993-3.1-cln.swf.gz"))
                .value();
        WorkloadStatistics statistics = statistics(workload);

        assertThat(statistics.applications()).isEqualTo(18_239);
        assertThat(statistics.users()).isEqualTo(69);
        assertThat(statistics.malformed().malformed()).isZero();
        assertThat(statistics.inOrder()).isTrue();
        assertThat(statistics.largestTask()).isEqualTo(Resources.parse("vcore", "128"));
        assertThat(statistics.work().getOrDefault("vcore", 0.0) / 1000 / DAY).isCloseTo(5_489, Offset.offset(1.0));
        assertThat(workload.nodes().get(0).capacity()).isEqualTo(Resources.parse("vcore", "128"));
    }

    @Test
    @Tag("slow")
    void philly_everyJob_isReadAndSorted() throws IOException {
        Workload workload = CsvWorkload.read(
                        traces.resolve("philly-2017/philly.csv.gz"), EXAMPLES.resolve("philly.yaml"))
                .value();
        WorkloadStatistics statistics = statistics(workload);

        assertThat(statistics.applications()).isEqualTo(82_247);
        assertThat(statistics.users()).isEqualTo(15);
        assertThat(statistics.malformed()).isEqualTo(new MalformedLines(82_247, 0, List.of()));
        assertThat(statistics.inOrder()).isFalse();
        assertThat(statistics.first()).isEqualTo(Instant.parse("2017-09-04T10:30:41Z"));
        assertThat(statistics.last()).isEqualTo(Instant.parse("2017-12-22T08:02:11Z"));
        assertThat(statistics.largestTask()).isEqualTo(Resources.parse("gpu", "128"));
        assertThat(statistics.work().getOrDefault("gpu", 0.0) / DAY).isCloseTo(40_753, Offset.offset(1.0));

        WorkloadStatistics sorted = statistics(SortedWorkload.of(workload, statistics));
        assertThat(sorted.inOrder()).isTrue();
        assertThat(sorted.applications()).isEqualTo(82_247);
        assertThat(sorted.malformed()).isEqualTo(statistics.malformed());
    }

    @Test
    void alibaba_everyPodThatRan_isRead() throws IOException {
        Workload workload = CsvWorkload.read(
                        traces.resolve("alibaba-gpu-2023/openb_pod_list_default.csv.gz"),
                        EXAMPLES.resolve("alibaba-gpu.yaml"))
                .value();
        WorkloadStatistics statistics = statistics(workload);

        assertThat(statistics.malformed()).isEqualTo(new MalformedLines(8_152, 0, List.of()));
        assertThat(statistics.applications()).isEqualTo(8_152 - 897);
        assertThat(statistics.users()).isEqualTo(4);
        assertThat(statistics.largestTask().amount("gpu").value()).isEqualTo(8_000);
    }

    @Test
    void alibaba_everyNode_isRead() {
        List<NodeEntry> nodes = CsvNodes.read(
                        traces.resolve("alibaba-gpu-2023/openb_node_list_all_node.csv"),
                        EXAMPLES.resolve("alibaba-gpu.yaml"))
                .value();
        Resources capacity = nodes.stream().map(NodeEntry::capacity).reduce(Resources.NONE, Resources::plus);

        assertThat(nodes).hasSize(1_523);
        assertThat(capacity.amount("vcore").value() / 1000).isEqualTo(125_514);
        assertThat(capacity.amount("gpu").value()).isEqualTo(6_212_000);
        assertThat(nodes.stream()
                        .flatMap(node -> node.labels().values().stream())
                        .distinct())
                .hasSize(7);
    }
}
