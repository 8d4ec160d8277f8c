package dev.sluice.cli.source;

import dev.sluice.cli.terminal.Style;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problem;
import java.io.PrintWriter;
import java.util.SortedMap;
import java.util.stream.Stream;

/**
 * Prints errors in the style of compilers: {@code file:line:column: message}, the line, and a caret below the position.
 */
public final class ProblemPrinter {

    private static final int TAB_WIDTH = 4;

    /** Maximum width of a quoted line. */
    private static final int EXCERPT_WIDTH_MAX = 100;

    private final PrintWriter out;
    private final Style style;

    public ProblemPrinter(PrintWriter out, Style style) {
        this.out = out;
        this.style = style;
    }

    /** Prints all errors and warnings of a file. */
    public void print(SourceFile file, ParseResult<?> reading) {
        SortedMap<Integer, String> lines =
                file.lines(Stream.concat(reading.problems().stream(), reading.warnings().stream())
                        .map(Problem::line));
        for (Problem problem : reading.problems()) {
            print(problem, style.bad("error:"), lines);
        }
        if (reading.problemsLeftOut() > 0) {
            out.println("and " + reading.problemsLeftOut() + " more");
        }
        for (Problem warning : reading.warnings()) {
            print(warning, style.warning("warning:"), lines);
        }
        out.flush();
    }

    /** Prints an error about a file as a whole. */
    public void print(SourceFile file, String message) {
        out.println(style.strong(file.name() + ":") + " " + style.bad("error:") + " " + message);
        out.flush();
    }

    private void print(Problem problem, String severity, SortedMap<Integer, String> lines) {
        String place = problem.line() == 0
                ? problem.file() + ":"
                : problem.file() + ":" + problem.line() + ":" + problem.column() + ":";
        out.println(style.strong(place) + " " + severity + " " + problem.message());
        String line = lines.get(problem.line());
        if (line != null && !line.isBlank()) {
            printExcerpt(problem, line);
        }
    }

    private void printExcerpt(Problem problem, String line) {
        int offset = line.offsetByCodePoints(0, Math.min(problem.column() - 1, line.codePointCount(0, line.length())));
        String before = withoutTabs(line.substring(0, offset));
        String after = withoutTabs(line.substring(offset));
        String lead = "";
        if (TextWidth.of(before + after) > EXCERPT_WIDTH_MAX) { // long lines are cut around the position
            if (before.length() > EXCERPT_WIDTH_MAX / 2) {
                before = before.substring(before.length() - EXCERPT_WIDTH_MAX / 2);
                lead = "…";
            }
            after = TextWidth.shortened(after, EXCERPT_WIDTH_MAX - TextWidth.of(before));
        }
        String number = Integer.toString(problem.line());
        String shown = lead + before + after;
        out.println("  " + style.faint(number + " | ") + shown);
        out.println("  " + style.faint(" ".repeat(number.length()) + " | ") + " ".repeat(TextWidth.of(lead + before))
                + style.bad("^"));
    }

    private static String withoutTabs(String text) {
        return TextWidth.printable(text.replace("\t", " ".repeat(TAB_WIDTH)));
    }
}
