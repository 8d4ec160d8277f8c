package dev.sluice.runtime.machine;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.runtime.process.CommandSearch;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the GPUs of a machine: those that {@code CUDA_VISIBLE_DEVICES} of this program leaves it, else those that
 * {@code nvidia-smi} lists, else the device files {@code nvidia0}, {@code nvidia1} and so on.
 *
 * @param environment the environment of this program
 * @param devices the directory of the device files
 */
record GpuSearch(Map<String, String> environment, Path devices) {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Pattern INDEX = Pattern.compile("[0-9]{1,4}");
    private static final String FILE = "nvidia";

    static GpuSearch ofThisSystem() {
        return new GpuSearch(System.getenv(), Path.of("/dev"));
    }

    /** Returns the GPUs; none if {@code CUDA_VISIBLE_DEVICES} names them in another way than by index. */
    Gpus find() {
        String visible = environment.get("CUDA_VISIBLE_DEVICES");
        if (visible != null) {
            return new Gpus(indices(List.of(visible.split(",", -1))));
        }
        List<Integer> listed = listed();
        return new Gpus(listed == null ? files() : listed);
    }

    /** Returns the indices that {@code nvidia-smi} prints, or null if it fails or is missing. */
    private @Nullable List<Integer> listed() {
        String program = CommandSearch.find("nvidia-smi", environment.get("PATH"), null);
        if (program == null) {
            return null;
        }
        Path output = null;
        try {
            output = Files.createTempFile("sluice-gpus", ".txt"); // a pipe could block beyond the timeout
            Process process = new ProcessBuilder(program, "--query-gpu=index", "--format=csv,noheader")
                    .redirectOutput(output.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return null;
            }
            return process.exitValue() == 0 ? indices(Files.readAllLines(output, UTF_8)) : null;
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } finally {
            delete(output);
        }
    }

    private static void delete(@Nullable Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            return; // a few bytes remain in the folder for temporary files
        }
    }

    private List<Integer> files() {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(devices, FILE + "[0-9]*")) {
            files.forEach(file -> names.add(file.getFileName().toString().substring(FILE.length())));
        } catch (IOException e) {
            return List.of();
        }
        return indices(names);
    }

    private static List<Integer> indices(List<String> texts) {
        return texts.stream()
                .map(String::trim)
                .filter(INDEX.asMatchPredicate())
                .map(Integer::valueOf)
                .toList();
    }
}
