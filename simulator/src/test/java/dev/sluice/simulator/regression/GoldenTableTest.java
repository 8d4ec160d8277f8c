package dev.sluice.simulator.regression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GoldenTableTest {

    @TempDir
    Path folder;

    @Test
    void check_unchanged_passes() throws IOException {
        Path file = folder.resolve("golden.txt");
        Files.writeString(file, "a 1\nb 2\n");

        GoldenTable.check(file, "a 1\nb 2\n", false);
    }

    @Test
    void check_changed_reportsLineAndFix() throws IOException {
        Path file = folder.resolve("golden.txt");
        Files.writeString(file, "a 1\nb 2\n");

        assertThatThrownBy(() -> GoldenTable.check(file, "a 1\nb 3\n", false))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("b 2")
                .hasMessageContaining("b 3")
                .hasMessageContaining("-Dsluice.tables.write=true");
    }

    @Test
    void check_withoutGoldenFile_fails() {
        assertThatThrownBy(() -> GoldenTable.check(folder.resolve("none.txt"), "a 1\n", false))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void check_inWriteMode_writesFile() throws IOException {
        Path file = folder.resolve("golden.txt");

        GoldenTable.check(file, "a 1\n", true);

        assertThat(file).hasContent("a 1\n");
    }
}
