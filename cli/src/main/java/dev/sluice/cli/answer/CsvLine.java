package dev.sluice.cli.answer;

import java.util.List;
import java.util.stream.Collectors;

/** Lines of comma-separated values as in RFC 4180. */
public final class CsvLine {

    private CsvLine() {}

    /** Returns a line without its end. Values with commas, quotes or line breaks are quoted. */
    public static String of(List<String> values) {
        return values.stream().map(CsvLine::quoted).collect(Collectors.joining(","));
    }

    private static String quoted(String value) {
        boolean plain = value.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? value : '"' + value.replace("\"", "\"\"") + '"';
    }
}
