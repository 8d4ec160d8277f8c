package dev.sluice.benchmarks.table;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Measures the rows of the table, each in a separate JVM, so that no row affects the compiled code and heap of another.
 *
 * <p>Arguments: the result directory, then {@code --only} and names of rows. Other rows keep their previous results.
 * {@link SmallTable} is the quick version.
 */
public final class TableBenchmark {

    private static final JsonMapper JSON = JsonMapper.shared();

    private TableBenchmark() {}

    /**
     * Measures, prints the table, and writes {@code table.json}, {@code table.md} and {@code table.svg} to the
     * directory.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length == 3 && arguments[1].equals("--measure")) {
            write(Path.of(arguments[0]), RowResult.of(row(arguments[2])));
            return;
        }
        Path results = Path.of(arguments[0]);
        Path file = results.resolve("table.json");
        List<String> all = rows().stream().map(Row::name).toList();
        @Nullable List<String> chosen = chosen(List.of(arguments).subList(1, arguments.length), all);
        if (chosen == null) {
            System.err.println(
                    "usage: table [--small | --only ROW...], where a row is one of " + String.join(", ", all));
            System.exit(2);
            return;
        }
        Table table = Files.exists(file) ? JSON.readValue(file.toFile(), Table.class) : new Table(List.of());
        for (String row : chosen) {
            RowResult measured = measureInForkedJvm(row);
            System.out.println(measured.machine());
            System.out.println(new Table(List.of(measured)).text());
            table = table.with(List.of(measured)).inOrderOf(all);
            write(file, table);
            Files.writeString(results.resolve("table.md"), table.markdown());
            Files.writeString(results.resolve("table.svg"), SpeedPlot.svg(table));
        }
        System.out.println(table.text());
    }

    /** Returns the selected rows: all if there are no options; null if the options are invalid. */
    static @Nullable List<String> chosen(List<String> options, List<String> all) {
        if (options.isEmpty()) {
            return all;
        }
        List<String> names = options.subList(1, options.size());
        return options.get(0).equals("--only") && !names.isEmpty() && all.containsAll(names) ? names : null;
    }

    private static List<Row> rows() {
        String traces = System.getenv(MixedRow.VARIABLE);
        @Nullable Path directory = traces == null || traces.isEmpty() ? null : Path.of(traces);
        return Rows.all(directory);
    }

    private static Row row(String name) {
        return rows().stream()
                .filter(row -> row.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("row not found: " + name));
    }

    private static RowResult measureInForkedJvm(String row) throws IOException, InterruptedException {
        Path result = Files.createTempFile("sluice-table-", ".json");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), TableBenchmark.class.getName()));
        command.addAll(List.of(result.toString(), "--measure", row));
        int status = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (status != 0) {
            throw new IllegalStateException("measurement of " + row + " failed with exit code " + status);
        }
        RowResult measured = JSON.readValue(result.toFile(), RowResult.class);
        Files.delete(result);
        return measured;
    }

    private static void write(Path file, Object value) {
        JSON.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), value);
    }
}
