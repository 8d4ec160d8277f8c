package dev.sluice.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadFileTest {

    private static final String LOG = "1 0 -1 9 1 -1 -1 -1 -1 -1 1 1 -1 -1 -1 -1 -1 -1\n";

    @TempDir
    Path directory;

    private Path mapping() {
        return WorkloadTexts.write(
                directory, "mapping.yaml", "applications: {submitted: t, duration: d, resources: {vcore: c}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"log.swf", "log.swf.gz", "LOG.SWF"})
    void log_byExtension_isRead(String name) {
        Path file = WorkloadTexts.write(
                directory,
                name,
                name.endsWith(".gz") ? WorkloadTexts.packed(LOG) : LOG.getBytes(StandardCharsets.UTF_8));

        Workload workload = WorkloadFile.read(file, null).value();

        assertThat(workload.name()).isEqualTo(name);
        assertThat(WorkloadTexts.pass(workload).ids()).containsExactly("1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"table.csv", "table.csv.gz", "table.txt"})
    void table_withMapping_isReadWithAnyExtension(String name) {
        Path file = WorkloadTexts.write(directory, name, "t,d,c\n0,1,1\n");

        assertThat(WorkloadTexts.pass(WorkloadFile.read(file, mapping()).value())
                        .ids())
                .containsExactly("line2");
    }

    @Test
    void table_withoutMapping_isAProblem() {
        assertThat(WorkloadFile.read(WorkloadTexts.write(directory, "table.csv.gz", "t"), null)
                        .report())
                .endsWith("table.csv.gz: a table needs a mapping file that describes its columns");
    }

    @Test
    void log_withMapping_isAProblem() {
        assertThat(WorkloadFile.read(WorkloadTexts.write(directory, "log.swf", LOG), mapping())
                        .report())
                .endsWith("log.swf: a log in the Standard Workload Format needs no mapping: remove it");
    }

    @Test
    void file_ofUnknownFormat_isAProblem() {
        assertThat(WorkloadFile.read(WorkloadTexts.write(directory, "work.doc", LOG), null)
                        .report())
                .endsWith(
                        "work.doc: unknown workload format: expected .swf or .swf.gz for a log, .yaml, .yml or .json for"
                                + " jobs with durations or a synthetic workload, or a mapping file for a table");
    }

    @Test
    void file_missing_isAProblem() {
        assertThat(WorkloadFile.read(directory.resolve("none.swf"), null).report())
                .endsWith("none.swf: file not found");
    }
}
