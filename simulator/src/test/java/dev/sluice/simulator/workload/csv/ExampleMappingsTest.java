package dev.sluice.simulator.workload.csv;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.simulator.workload.Arrival;
import dev.sluice.simulator.workload.WorkloadTexts;
import dev.sluice.simulator.workload.WorkloadTexts.Pass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The mappings in {@code examples/traces} and in the documentation, applied to rows like those of the traces. */
class ExampleMappingsTest {

    private static final Path EXAMPLES = Path.of("..", "examples", "traces");
    private static final String PHILLY =
            "timestamp,duration,num_gpus,gpu_time,cluster\n2017-10-09 07:01:55,66.0,2,132.0,11cb48\n";

    @TempDir
    Path directory;

    private Pass pass(String table, Path mapping) {
        return WorkloadTexts.pass(CsvWorkload.read(WorkloadTexts.write(directory, "table.csv", table), mapping)
                .value());
    }

    private void checkPhilly(Path mapping) {
        Pass pass = pass(PHILLY, mapping);

        assertThat(pass.reasons()).isEmpty();
        Arrival arrival = pass.arrivals().get(0);
        assertThat(arrival.submitted()).isEqualTo(Instant.parse("2017-10-09T07:01:55Z"));
        assertThat(arrival.durations()).containsExactly(Duration.ofSeconds(66));
        assertThat(arrival.application().user()).isEqualTo("11cb48");
        assertThat(arrival.application().groups()).containsExactly("11cb48");
        assertThat(arrival.application().tags()).isEqualTo(Map.of("cluster", "11cb48"));
        assertThat(arrival.application().tasks().get(0).resources()).hasToString("gpu 2");
    }

    @Test
    void philly_row_isRead() {
        checkPhilly(EXAMPLES.resolve("philly.yaml"));
    }

    @Test
    void documentation_sample_isRead() throws IOException {
        String text = Files.readString(Path.of("..", "docs", "guides", "workloads.md"));
        int csv = text.indexOf("## CSV");
        int start = text.indexOf("```yaml\n", csv) + "```yaml\n".length();

        checkPhilly(WorkloadTexts.write(directory, "sample.yaml", text.substring(start, text.indexOf("```", start))));
    }

    @Test
    void alibaba_pods_areRead() {
        Pass pass = pass("""
                name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
                p0,12000,16384,1,460,V100M16|V100M32,LS,Running,0,100,10
                p1,500,1,8,1000,T4,BE,Running,60,100,90
                p2,1,1,0,0,,BE,Pending,60,100,
                p3,1,1,0,0,,Burstable,Running,60,100,60
                """, EXAMPLES.resolve("alibaba-gpu.yaml"));

        assertThat(pass.reasons()).isEmpty();
        assertThat(pass.ids()).containsExactly("p0", "p1", "p3");
        assertThat(pass.arrivals())
                .extracting(
                        each -> each.application().tasks().get(0).resources().toString())
                .containsExactly(
                        "gpu 460, memory 16Gi, vcore 12", "gpu 8000, memory 1Mi, vcore 500m", "memory 1Mi, vcore 1m");
        assertThat(pass.arrivals())
                .extracting(each -> each.application()
                        .tasks()
                        .get(0)
                        .constraints()
                        .nodeSelector()
                        .toString())
                .containsExactly("{}", "{model=T4}", "{}");
        assertThat(pass.arrivals().get(1).submitted()).isEqualTo(Instant.parse("2023-01-01T00:01:00Z"));
        assertThat(pass.arrivals().get(1).durations()).containsExactly(Duration.ofSeconds(10));
        assertThat(pass.arrivals().get(1).application().user()).isEqualTo("BE");
    }

    @Test
    void alibaba_nodes_areRead() {
        Path table = WorkloadTexts.write(
                directory, "nodes.csv", "sn,cpu_milli,memory_mib,gpu,model\nn0,64000,262144,2,P100\n");

        assertThat(CsvNodes.read(table, EXAMPLES.resolve("alibaba-gpu.yaml")).value())
                .singleElement()
                .satisfies(node -> assertThat(node.labels()).isEqualTo(Map.of("model", "P100")))
                .satisfies(node -> assertThat(node.capacity()).hasToString("gpu 2000, memory 256Gi, vcore 64"));
    }
}
