package dev.sluice.simulator.workload;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** Creates and reads small workload files for tests. */
public final class WorkloadTexts {

    private WorkloadTexts() {}

    public static Path write(Path directory, String name, String text) {
        return write(directory, name, text.getBytes(StandardCharsets.UTF_8));
    }

    public static Path write(Path directory, String name, byte[] bytes) {
        try {
            return Files.write(directory.resolve(name), bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the gzipped text. */
    public static byte[] packed(String text) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (OutputStream packer = new GZIPOutputStream(bytes)) {
                packer.write(text.getBytes(StandardCharsets.UTF_8));
            }
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The result of one pass over a workload. */
    public record Pass(List<Arrival> arrivals, MalformedLines malformed) {

        /** Returns the ids in order of arrival. */
        public List<String> ids() {
            return arrivals.stream().map(each -> each.application().id()).toList();
        }

        /** Returns the reasons of the first malformed lines as {@code line:column: reason}. */
        public List<String> reasons() {
            return malformed.first().stream()
                    .map(each -> each.line() + ":" + each.column() + ": " + each.message())
                    .toList();
        }
    }

    /** Reads a workload to its end. */
    public static Pass pass(Workload workload) {
        try (ArrivalStream stream = workload.open()) {
            List<Arrival> arrivals = new ArrayList<>();
            for (Arrival arrival = stream.next(); arrival != null; arrival = stream.next()) {
                arrivals.add(arrival);
            }
            return new Pass(arrivals, stream.malformed());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
