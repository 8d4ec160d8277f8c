package dev.sluice.simulator.workload.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.snapshot.JobFileReader;
import dev.sluice.simulator.workload.Arrival;
import dev.sluice.simulator.workload.ArrivalStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobFileWorkloadTest {

    private static JobFileWorkload workload(String text) {
        return new JobFileWorkload(
                "jobs.yaml", JobFileReader.readWorkload("jobs.yaml", text).value());
    }

    private static List<Arrival> arrivals(JobFileWorkload workload) {
        List<Arrival> arrivals = new ArrayList<>();
        ArrivalStream stream = workload.open();
        try (stream) {
            for (Arrival next = stream.next(); next != null; next = stream.next()) {
                arrivals.add(next);
            }
            assertThat(stream.malformed().lines()).isZero();
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
        return arrivals;
    }

    @Test
    void arrivals_areOrderedBySubmissionThenFile() {
        JobFileWorkload workload = workload("""
                applications:
                  - {id: late, submitted: 10m, tasks: [{id: t, duration: 1s}]}
                  - {id: often, every: 5m, times: 3, tasks: [{id: t, duration: 1s}]}
                  - {id: first, tasks: [{id: t, duration: 1s}, {id: u, count: 9, duration: 2s}]}
                """);

        List<Arrival> arrivals = arrivals(workload);

        assertThat(arrivals)
                .extracting(arrival -> arrival.application().id() + " "
                        + Duration.between(Instant.EPOCH, arrival.submitted()).toMinutes())
                .containsExactly("often-0 0", "first 0", "often-1 5", "late 10", "often-2 10");
        assertThat(arrivals.get(1).durations()).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2));
        assertThat(arrivals).allMatch(arrival -> arrival.application().sealed());
        assertThat(arrivals(workload)).isEqualTo(arrivals);
    }

    @Test
    void simultaneousSubmissions_ofOneApplication_stayTogether() {
        JobFileWorkload workload = workload("""
                applications:
                  - {id: a, every: 0s, times: 2, tasks: [{id: t, duration: 1s}]}
                  - {id: b, every: 0s, times: 2, tasks: [{id: t, duration: 1s}]}
                """);

        assertThat(arrivals(workload))
                .extracting(arrival -> arrival.application().id())
                .containsExactly("a-0", "a-1", "b-0", "b-1");
    }

    @Test
    void file_hasNameNodesPartitionsAndSeed(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(
                directory.resolve("nightly.yaml"),
                "seed: 5\npartitions: [{queues: [{name: a}]}]\nnodes: [{name: n, capacity: {vcore: 1}}]\n"
                        + "queue: root.a\ntasks: [{id: t, duration: 1s}]");

        JobFileWorkload workload = JobFileWorkload.read(file).value();

        assertThat(workload.name()).isEqualTo("nightly.yaml");
        assertThat(workload.seed()).isEqualTo(5);
        assertThat(workload.nodes()).hasSize(1);
        assertThat(workload.partitions()).hasSize(1);
        assertThat(arrivals(workload)).hasSize(1);
    }
}
