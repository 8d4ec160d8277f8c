package dev.sluice.benchmarks.table;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;

/**
 * Machines and pods of Alibaba's trace of GPU clusters, 2023 (github.com/alibaba/clusterdata, cluster-trace-gpu-v2023; Weng et al., "Beware of
 * Fragmentation", USENIX ATC 2023). Of the lists of pods it is {@code gpuspec33}, in which a third of those that want GPUs name
 * the models they can use; in the {@code default} list none does.
 *
 * @param machines the 1,523 machines
 * @param pods the 8,152 pods
 */
record GpuTrace(List<Machine> machines, List<Pod> pods) {

    /** What the trace is in, inside the directory of traces. */
    static final String FOLDER = "alibaba-gpu-2023";

    private static final String MACHINES = "openb_node_list_all_node.csv";
    private static final String PODS = "openb_pod_list_gpuspec33.csv.gz";

    /**
     * A machine.
     *
     * @param gpuMilli thousandths of GPUs
     * @param model of its GPUs; empty without any
     */
    record Machine(long cpuMilli, long memoryMib, long gpuMilli, String model) {}

    /**
     * A pod.
     *
     * @param gpuMilli thousandths of GPUs, of all that it asks for
     * @param models those it can use, with a bar between them; empty: whichever
     */
    record Pod(long cpuMilli, long memoryMib, long gpuMilli, String models) {}

    /** Copies the lists. */
    GpuTrace {
        machines = List.copyOf(machines);
        pods = List.copyOf(pods);
    }

    /** Whether the trace is in this directory of traces. */
    static boolean isIn(Path traces) {
        return Files.isReadable(traces.resolve(FOLDER).resolve(MACHINES))
                && Files.isReadable(traces.resolve(FOLDER).resolve(PODS));
    }

    /** Reads the trace from this directory of traces. */
    static GpuTrace read(Path traces) throws IOException {
        Path folder = traces.resolve(FOLDER);
        try (InputStream machines = Files.newInputStream(folder.resolve(MACHINES));
                InputStream pods = new GZIPInputStream(Files.newInputStream(folder.resolve(PODS)))) {
            return read(machines, pods);
        }
    }

    /** Reads two tables of values with commas between them, whose first lines name the columns. */
    static GpuTrace read(InputStream machines, InputStream pods) throws IOException {
        return new GpuTrace(
                rows(
                        machines,
                        row -> new Machine(
                                row.number("cpu_milli"),
                                row.number("memory_mib"),
                                1000 * row.number("gpu"),
                                row.text("model"))),
                rows(
                        pods,
                        row -> new Pod(
                                row.number("cpu_milli"),
                                row.number("memory_mib"),
                                row.number("num_gpu") * row.number("gpu_milli"),
                                row.text("gpu_spec"))));
    }

    /** The values of one row, by the names of their columns. */
    private record Values(List<String> columns, List<String> values) {

        String text(String column) {
            int index = columns.indexOf(column);
            if (index < 0) {
                throw new IllegalArgumentException("no column " + column + " among " + columns);
            }
            return index < values.size() ? values.get(index) : "";
        }

        long number(String column) {
            String text = text(column);
            return text.isEmpty() ? 0 : Long.parseLong(text);
        }
    }

    private static <T> List<T> rows(InputStream table, Function<Values, T> reader) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(table, StandardCharsets.UTF_8));
        String line = lines.readLine();
        if (line == null) {
            throw new IOException("a table without a first line");
        }
        List<String> columns = List.of(line.split(","));
        List<T> rows = new ArrayList<>();
        while ((line = lines.readLine()) != null) {
            rows.add(reader.apply(new Values(columns, List.of(line.split(",")))));
        }
        return rows;
    }
}
