package dev.sluice.runtime.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How GPUs are given and found. */
final class GpusTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "none | no GPUs",
                "0 | no GPUs",
                "1 | 1 GPU (0)",
                "4 | 4 GPUs (0,1,2,3)",
                "0,2,3 | 3 GPUs (0,2,3)",
                "5,0-2 | 4 GPUs (0,1,2,5)",
                "2-2 | 1 GPU (2)",
            })
    void parse_valid_hasIndices(String text, String expected) {
        assertThat(Gpus.parse(text)).hasToString(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "-1", "1,", "3-1", "0,0", "1-3,2", "1.5", "0-99999", "9999"})
    void parse_invalid_isRefused(String text) {
        assertThatThrownBy(() -> Gpus.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @Test
    void find_deviceFiles_ignoresOthers() throws IOException {
        for (String name : new String[] {"nvidia0", "nvidia10", "nvidiactl", "nvidia-uvm", "null"}) {
            Files.createFile(folder.resolve(name));
        }
        assertThat(search(Map.of("PATH", "/nowhere"))).hasToString("2 GPUs (0,10)");
    }

    @Test
    void find_nvidiaSmi_takesWhatItLists() throws IOException {
        nvidiaSmi("#!/bin/sh\n[ \"$*\" = '--query-gpu=index --format=csv,noheader' ] && printf '0\\n1\\n3\\n'\n");
        assertThat(search(Map.of("PATH", folder.toString()))).hasToString("3 GPUs (0,1,3)");
    }

    @Test
    void find_nvidiaSmiFails_takesDeviceFiles() throws IOException {
        nvidiaSmi("#!/bin/sh\necho 5; exit 9\n");
        Files.createFile(folder.resolve("nvidia2"));
        assertThat(search(Map.of("PATH", folder.toString()))).hasToString("1 GPU (2)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"1,3 | 2 GPUs (1,3)", "'' | no GPUs", "GPU-8932f937 | no GPUs"})
    void find_visibleDevicesOfProgram_takesThose(String visible, String expected) throws IOException {
        Files.createFile(folder.resolve("nvidia0"));
        assertThat(search(Map.of("CUDA_VISIBLE_DEVICES", visible))).hasToString(expected);
    }

    private Gpus search(Map<String, String> environment) {
        return new GpuSearch(environment, folder).find();
    }

    private void nvidiaSmi(String script) throws IOException {
        Path program = Files.writeString(folder.resolve("nvidia-smi"), script);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
