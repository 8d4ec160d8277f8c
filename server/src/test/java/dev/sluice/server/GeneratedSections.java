package dev.sluice.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The generated sections of a reference document: the lines between {@code <!-- begin generated: NAME -->} and
 * {@code <!-- end generated -->}.
 */
public final class GeneratedSections {

    /** The system property that makes the tests write the sections instead of comparing them. */
    static final String WRITE = "sluice.write";

    private static final Path FOLDER = Path.of("..", "docs", "reference");
    private static final String END = "<!-- end generated -->";

    private GeneratedSections() {}

    /** Compares the sections of a document of {@code docs/reference}, or writes them if {@link #WRITE} is true. */
    public static void check(String document, Map<String, String> sections) throws IOException {
        Path file = FOLDER.resolve(document);
        String before = Files.readString(file);
        String after = before;
        for (Map.Entry<String, String> section : sections.entrySet()) {
            after = replaced(after, section.getKey(), section.getValue());
        }
        if (before.equals(after)) {
            return;
        }
        if (!Boolean.getBoolean(WRITE)) {
            throw new AssertionError(file + " is out of date; run the test with -D" + WRITE + "=true to update it\n"
                    + firstDifference(before, after));
        }
        Files.writeString(file, after);
    }

    static String replaced(String text, String name, String content) {
        String marker = "<!-- begin generated: " + name + " -->";
        int begin = text.indexOf(marker);
        int end = text.indexOf(END, Math.max(begin, 0));
        if (begin < 0 || end < 0) {
            throw new AssertionError("markers of the generated section " + name + " not found");
        }
        return text.substring(0, begin + marker.length()) + "\n\n" + content.strip() + "\n\n" + text.substring(end);
    }

    private static String firstDifference(String before, String after) {
        String[] old = before.split("\n", -1);
        String[] now = after.split("\n", -1);
        for (int i = 0; i < Math.min(old.length, now.length); i++) {
            if (!old[i].equals(now[i])) {
                return "line " + (i + 1) + ":\n- " + old[i] + "\n+ " + now[i];
            }
        }
        return old.length + " lines, expected " + now.length;
    }
}
