package dev.sluice.simulator.regression;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** A table that is kept beside the tests, as a text, so that whatever changes it shows in a review. */
final class GoldenTable {

    /** The property that has tables written anew instead of compared. */
    static final String WRITE = "sluice.tables.write";

    private static final Path KEPT = Path.of("src", "test", "resources", "dev", "sluice", "simulator", "regression");

    private static final int DIFFERENCES_SHOWN = 40;

    private GoldenTable() {}

    /** Compares a table with the kept one of this name, or writes it if that is wanted. */
    static void check(String name, String table) throws IOException {
        check(KEPT.resolve(name + ".txt"), table, Boolean.getBoolean(WRITE));
    }

    static void check(Path file, String table, boolean write) throws IOException {
        if (write) {
            Files.writeString(file, table);
            return;
        }
        List<String> kept = Files.exists(file) ? Files.readAllLines(file) : List.of();
        List<String> now = table.lines().toList();
        if (!kept.equals(now)) {
            throw new AssertionError(
                    file + ": decisions or figures are not what they were. If that is intended, write the tables"
                            + " anew with -D" + WRITE + "=true and let the differences be reviewed.\n"
                            + differences(kept, now));
        }
    }

    /** The lines that differ, place by place, the first of them. */
    private static String differences(List<String> kept, List<String> now) {
        StringBuilder text = new StringBuilder();
        int shown = 0;
        for (int i = 0; i < Math.max(kept.size(), now.size()) && shown < DIFFERENCES_SHOWN; i++) {
            String before = i < kept.size() ? kept.get(i) : null;
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
