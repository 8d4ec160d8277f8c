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
 * The machines and pods of Alibaba's trace of GPU clusters, 2023 (github.com/alibaba/clusterdata,
 * cluster-trace-gpu-v2023; Weng et al., "Beware of Fragmentation", USENIX ATC 2023). Uses the pod list
 * {@code gpuspec33}, in which a third of the GPU pods name the GPU models they can use; the {@code default} list names
 * none.
 *
 * @param machines the 1,523 machines
 * @param pods the 8,152 pods
 */
record GpuTrace(List<Machine> machines, List<Pod> pods) {

    /** The folder of the trace, inside the directory of traces. */
    static final String FOLDER = "alibaba-gpu-2023";

    private static final String MACHINES = "openb_node_list_all_node.csv";
    private static final String PODS = "openb_pod_list_gpuspec33.csv.gz";

    /**
     * A machine.
     *
     * @param gpuMilli thousandths of GPUs
     * @param model the GPU model; empty without GPUs
     */
    record Machine(long cpuMilli, long memoryMib, long gpuMilli, String model) {}

    /**
     * A pod.
     *
     * @param gpuMilli the total demand in thousandths of GPUs
     * @param models the GPU models it can use, separated by vertical bars; empty for any
     */
    record Pod(long cpuMilli, long memoryMib, long gpuMilli, String models) {}

    GpuTrace {
        machines = List.copyOf(machines);
        pods = List.copyOf(pods);
    }

    /** Returns whether this directory of traces contains the trace. */
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

    /** Reads two CSV tables with header lines. */
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

    /** The values of one row, by column name. */
    private record Values(List<String> columns, List<String> values) {

        String text(String column) {
            int index = columns.indexOf(column);
            if (index < 0) {
                throw new IllegalArgumentException("column " + column + " not found in " + columns);
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
            throw new IOException("table without header line");
        }
        List<String> columns = List.of(line.split(","));
        List<T> rows = new ArrayList<>();
        while ((line = lines.readLine()) != null) {
            rows.add(reader.apply(new Values(columns, List.of(line.split(",")))));
        }
        return rows;
    }
}
