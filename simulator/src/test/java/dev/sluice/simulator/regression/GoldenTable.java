package dev.sluice.simulator.regression;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** A text table stored with the tests, so that a review shows every change of results. */
final class GoldenTable {

    /** The property that writes the tables instead of comparing them. */
    static final String WRITE = "sluice.tables.write";

    private static final Path GOLDEN = Path.of("src", "test", "resources", "dev", "sluice", "simulator", "regression");

    private static final int DIFFERENCES_SHOWN = 40;

    private GoldenTable() {}

    /** Compares a table with the golden table of this name, or writes it in write mode. */
    static void check(String name, String table) throws IOException {
        check(GOLDEN.resolve(name + ".txt"), table, Boolean.getBoolean(WRITE));
    }

    static void check(Path file, String table, boolean write) throws IOException {
        if (write) {
            Files.writeString(file, table);
            return;
        }
        List<String> golden = Files.exists(file) ? Files.readAllLines(file) : List.of();
        List<String> now = table.lines().toList();
        if (!golden.equals(now)) {
            throw new AssertionError(file + ": decisions or figures have changed. If that is intended, write the tables"
                    + " again with -D" + WRITE + "=true and review the differences.\n"
                    + differences(golden, now));
        }
    }

    /** Returns the first lines that differ. */
    private static String differences(List<String> golden, List<String> now) {
        StringBuilder text = new StringBuilder();
        int shown = 0;
        for (int i = 0; i < Math.max(golden.size(), now.size()) && shown < DIFFERENCES_SHOWN; i++) {
            String before = i < golden.size() ? golden.get(i) : null;
            String after = i < now.size() ? now.get(i) : null;
            if (!Objects.equals(before, after)) {
                text.append(before == null ? "" : "- " + before + "\n")
                        .append(after == null ? "" : "+ " + after + "\n");
                shown++;
            }
        }
        return text.toString();
    }
}
