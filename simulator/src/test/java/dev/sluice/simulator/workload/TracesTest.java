package dev.sluice.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.core.resource.Resources;
import dev.sluice.simulator.workload.swf.SwfWorkload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Published traces, which are too large to be kept here: the variable {@code SLUICE_TRACES} names the directory that has them. */
class TracesTest {

    private static final double DAY = 86_400;

    private Path traces = Path.of("");

    @BeforeEach
    void findTraces() {
        String directory = System.getenv("SLUICE_TRACES");
        assumeTrue(
                directory != null && !directory.isEmpty(),
                "skipped: set SLUICE_TRACES to the directory of the published traces");
        traces = Path.of(directory);
    }

    /** What a second pass tells, and how long it took. */
    private static Survey survey(Workload workload) throws IOException {
        Survey first = Survey.of(workload);
        long start = System.nanoTime();
        Survey second = Survey.of(workload);
        long millis = (System.nanoTime() - start) / 1_000_000;
        System.out.println(workload.name() + ": " + millis + " ms for the second pass; " + second);
        assertThat(second).isEqualTo(first);
        return second;
    }

    @Test
    void lcg_everyJob_isRead() throws IOException {
        Workload workload =
                SwfWorkload.read(traces.resolve("lcg-2005-swf/LCG.swf.gz")).value();
        Survey survey = survey(workload);

        assertThat(survey.applications()).isEqualTo(188_041);
        assertThat(survey.tasks()).isEqualTo(188_041);
        assertThat(survey.users()).isEqualTo(216);
        assertThat(survey.broken()).isEqualTo(new BrokenLines(188_041, 0, List.of()));
        assertThat(survey.inOrder()).isTrue();
        assertThat(survey.first()).isEqualTo(Instant.ofEpochSecond(1_132_444_805));
        assertThat(survey.last()).isEqualTo(Instant.ofEpochSecond(1_132_444_805 + 950_392));
        assertThat(survey.largestTask()).isEqualTo(Resources.parse("vcore", "1"));
        assertThat(survey.work().getOrDefault("slots", 0.0) / DAY).isCloseTo(17_390, Offset.offset(1.0));
        assertThat(workload.nodes().get(0).capacity()).isEqualTo(Resources.parse("vcore", "24515"));
        assertThat(Texts.pass(workload).arrivals().get(2).application().tags())
                .isEqualTo(Map.of("group", "group1", "partition", "grid_kiae_ru"));
    }

    @Test
    void nasa_everyJob_isRead() throws IOException {
        Workload workload = SwfWorkload.read(traces.resolve("nasa-ipsc-1993-swf/NASA-iPSC-1993-3.1-cln.swf.gz"))
                .value();
        Survey survey = survey(workload);

        assertThat(survey.applications()).isEqualTo(18_239);
        assertThat(survey.users()).isEqualTo(69);
        assertThat(survey.broken().broken()).isZero();
        assertThat(survey.inOrder()).isTrue();
        assertThat(survey.largestTask()).isEqualTo(Resources.parse("vcore", "128"));
        assertThat(survey.work().getOrDefault("vcore", 0.0) / 1000 / DAY).isCloseTo(5_489, Offset.offset(1.0));
        assertThat(workload.nodes().get(0).capacity()).isEqualTo(Resources.parse("vcore", "128"));
    }
}
