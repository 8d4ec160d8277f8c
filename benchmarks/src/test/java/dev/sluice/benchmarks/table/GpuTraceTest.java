package dev.sluice.benchmarks.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class GpuTraceTest {

    private static InputStream text(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void trace_read_hasMachinesAndPodsWithMilliGpus() throws IOException {
        String machines = """
                sn,cpu_milli,memory_mib,gpu,model
                n-0,32000,262144,0,
                n-1,104000,524288,2,T4
                """;
        String pods = """
                name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos
                p-0,12000,16384,2,1000,T4|P100,LS
                p-1,6000,12288,1,460,,LS
                p-2,1000,512,0,,,BE
                """;

        GpuTrace trace = GpuTrace.read(text(machines), text(pods));

        assertThat(trace.machines())
                .containsExactly(
                        new GpuTrace.Machine(32_000, 262_144, 0, ""),
                        new GpuTrace.Machine(104_000, 524_288, 2000, "T4"));
        assertThat(trace.pods())
                .containsExactly(
                        new GpuTrace.Pod(12_000, 16_384, 2000, "T4|P100"),
                        new GpuTrace.Pod(6000, 12_288, 460, ""),
                        new GpuTrace.Pod(1000, 512, 0, ""));
    }

    @Test
    void trace_missingColumn_isAnErrorNamingIt() {
        assertThatThrownBy(() -> GpuTrace.read(text("sn,cpu_milli\na,1\n"), text("name\n")))
                .hasMessageContaining("memory_mib");
    }

    @Test
    void mixed_withoutTraces_isSkippedWithReason() {
        Line line = new MixedRow(1, 1, null).measure().get(0);
        Line other = new MixedRow(1, 1, Path.of("nowhere")).measure().get(0);

        assertThat(line.verdict()).isEqualTo(Verdict.SKIPPED);
        assertThat(line.remark()).contains(MixedRow.VARIABLE);
        assertThat(other.verdict()).isEqualTo(Verdict.SKIPPED);
        assertThat(other.remark()).contains(GpuTrace.FOLDER);
    }
}
