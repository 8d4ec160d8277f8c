package dev.sluice.simulator.regression;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Compares published traces under six configurations with golden tables.
 *
 * <p>The traces are too large for the repository: the variable {@code SLUICE_TRACES} names their directory. Parts of
 * two are always simulated, parts of all with {@code mvn verify -Pfull}, and complete traces, which take long, only
 * with {@code mvn verify -Plong}.
 */
class TracesRegressionTest {

    private static final Path EXAMPLES = Trial.EXAMPLES.resolve("traces");

    private Path traces = Path.of("");

    @BeforeEach
    void findTraces() {
        String directory = System.getenv("SLUICE_TRACES");
        assumeTrue(
                directory != null && !directory.isEmpty(),
                "skipped: set SLUICE_TRACES to the directory of the published traces");
        traces = Path.of(directory);
    }

    /** 188,041 jobs of one core in 11 days; 1,600 cores are just enough. */
    private Trial lcg() {
        return Trial.of(traces.resolve("lcg-2005-swf/LCG.swf.gz"), EXAMPLES.resolve("lcg"), EXAMPLES)
                .onNode("{vcore: 1600}");
    }

    /** 18,239 jobs of 1 to 128 cores in 92 days; compressed to 43 days they fill the machine. */
    private Trial nasa() {
        return Trial.of(
                        traces.resolve("nasa-ipsc-1993-swf/NASA-iPSC-1993-3.1-cln.swf.gz"),
                        EXAMPLES.resolve("nasa"),
                        EXAMPLES)
                .scaled(0.47);
    }

    /** 82,247 jobs of 1 to 128 GPUs in 109 days; they nearly fill 400 GPUs. */
    private Trial philly() {
        return Trial.of(traces.resolve("philly-2017/philly.csv.gz"), EXAMPLES.resolve("philly"), EXAMPLES)
                .mappedBy(EXAMPLES.resolve("philly.yaml"))
                .onNode("{gpu: 400, slots: 400}");
    }

    /**
     * 7,255 pods in 149 days, compressed to two days on a twentieth of the nodes; pods that run for months are cut off.
     */
    private Trial alibaba() throws IOException {
        return Trial.of(
                        traces.resolve("alibaba-gpu-2023/openb_pod_list_default.csv.gz"),
                        EXAMPLES.resolve("alibaba"),
                        EXAMPLES)
                .mappedBy(EXAMPLES.resolve("alibaba-gpu.yaml"))
                .onNodes(Files.readString(EXAMPLES.resolve("alibaba/nodes.yaml")))
                .scaled(0.015)
                .stoppedAfter(Duration.ofDays(5));
    }

    @Test
    @Tag("slow")
    void lcgHours_matchGoldenTable() throws IOException {
        check(
                "lcg-hours",
                lcg().between(Duration.ofHours(108), Duration.ofHours(114)).onNode("{vcore: 500}"));
    }

    @Test
    @Tag("slow")
    void nasaWeek_matchesGoldenTable() throws IOException {
        check("nasa-week", nasa().between(Duration.ofDays(0), Duration.ofDays(14)));
    }

    @Test
    @Tag("slow")
    void phillyDays_matchGoldenTable() throws IOException {
        check(
                "philly-days",
                philly().between(Duration.ofDays(24), Duration.ofDays(28)).onNode("{gpu: 240, slots: 240}"));
    }

    @Test
    @Tag("slow")
    void alibabaHours_matchGoldenTable() throws IOException {
        check(
                "alibaba-hours",
                alibaba().between(Duration.ofDays(115), Duration.ofDays(120)).scaled(0.003));
    }

    @Test
    @Tag("long")
    void lcg_matchesGoldenTable() throws IOException {
        check("lcg", lcg());
    }

    @Test
    @Tag("long")
    void nasa_matchesGoldenTable() throws IOException {
        check("nasa", nasa());
    }

    @Test
    @Tag("long")
    void philly_matchesGoldenTable() throws IOException {
        check("philly", philly());
    }

    @Test
    @Tag("long")
    void alibaba_matchesGoldenTable() throws IOException {
        check("alibaba", alibaba());
    }

    private static void check(String name, Trial trial) throws IOException {
        GoldenTable.check(name, RunTable.of(trial.run()));
    }
}
