package dev.sluice.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.resource.Resources;
import dev.sluice.simulator.workload.csv.CsvWorkload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkloadStatisticsTest {

    @TempDir
    Path directory;

    private WorkloadStatistics statistics(String rows) throws IOException {
        Path mapping = WorkloadTexts.write(
                directory,
                "mapping.yaml",
                "applications: {submitted: t, duration: d, user: u, resources: {vcore: c, gpu: {column: g, whenempty: 0}}}");
        return WorkloadStatistics.of(
                CsvWorkload.read(WorkloadTexts.write(directory, "table.csv", "t,d,u,c,g\n" + rows), mapping)
                        .value());
    }

    @Test
    void workload_severalJobs_isSummarized() throws IOException {
        WorkloadStatistics statistics = statistics("5,10,a,2,\n7,0.5,b,1,4\nx,1,a,1,\n7,3,a,0.5,1\n");

        assertThat(statistics.applications()).isEqualTo(3);
        assertThat(statistics.tasks()).isEqualTo(3);
        assertThat(statistics.users()).isEqualTo(2);
        assertThat(statistics.first()).isEqualTo(Instant.ofEpochSecond(5));
        assertThat(statistics.last()).isEqualTo(Instant.ofEpochSecond(7));
        assertThat(statistics.work()).isEqualTo(Map.of("slots", 13.5, "vcore", 22_000.0, "gpu", 5.0));
        assertThat(statistics.largestTask()).isEqualTo(Resources.parse("vcore", "2", "gpu", "4"));
        assertThat(statistics.inOrder()).isTrue();
        assertThat(statistics.malformed().lines()).isEqualTo(4);
        assertThat(statistics.malformed().malformed()).isOne();
    }

    @Test
    void workload_outOfOrder_isDetected() throws IOException {
        WorkloadStatistics statistics = statistics("5,1,a,1,\n9,1,a,1,\n4,1,a,1,\n");

        assertThat(statistics.inOrder()).isFalse();
        assertThat(statistics.first()).isEqualTo(Instant.ofEpochSecond(4));
        assertThat(statistics.last()).isEqualTo(Instant.ofEpochSecond(9));
    }

    @Test
    void workload_withoutApplications_hasNoTimes() throws IOException {
        WorkloadStatistics statistics = statistics("");

        assertThat(statistics.applications()).isZero();
        assertThat(statistics.first()).isNull();
        assertThat(statistics.last()).isNull();
        assertThat(statistics.inOrder()).isTrue();
    }
}
