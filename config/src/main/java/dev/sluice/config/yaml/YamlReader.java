package dev.sluice.config.yaml;

import dev.sluice.config.problem.Problems;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads one YAML document, or JSON, which is YAML as well, into a tree of values that know their place.
 *
 * <p>Whatever the text is, the answer is a tree or a problem, in time and memory bounded by {@link YamlLimits}.
 */
public final class YamlReader {

    private YamlReader() {}

    /** The document in this file; or null, with the reason among the problems. */
    public static @Nullable YamlValue read(Path path, Problems problems) {
        String text = FileText.read(path, problems);
        return text == null ? null : read(text, problems);
    }

    /** The document of this text; or null, with the reason among the problems. */
    public static @Nullable YamlValue read(String text, Problems problems) {
        if (text.length() > YamlLimits.FILE_BYTES_MAX) {
            problems.error(0, 0, "this text is too large: the most is " + YamlLimits.FILE_BYTES_MAX + " characters");
            return null;
        }
        LoadSettings settings = LoadSettings.builder()
                .setCodePointLimit(Integer.MAX_VALUE)
                .setParseComments(false)
                .setUseMarks(true)
                .build();
        try {
            return new TreeBuilder(problems)
                    .build(new Parse(settings).parseString(text).iterator());
        } catch (MarkedYamlEngineException e) {
            syntaxError(text, e, problems);
        } catch (ReaderException e) {
            badCharacter(text, e, problems);
        } catch (TreeBuilder.Refused e) {
            problems.error(e.line(), e.column(), e.reason());
        } catch (YamlEngineException e) {
            problems.error(1, 1, "this is not YAML: " + firstLine(String.valueOf(e.getMessage())));
        }
        return null;
    }

    private static void syntaxError(String text, MarkedYamlEngineException e, Problems problems) {
        Mark mark = e.getProblemMark().or(e::getContextMark).orElse(null);
        int line = mark == null ? 1 : mark.getLine() + 1;
        int column = mark == null ? 1 : mark.getColumn() + 1;
        String tab = tabIn(text, line);
        if (tab != null) {
            problems.error(line, 1 + tab.indexOf('\t'), "there is a tab here: indent YAML with spaces");
            return;
        }
        String reason = firstLine(String.valueOf(e.getProblem()));
        String context = e.getContext() == null || e.getContext().isEmpty() ? "" : " " + firstLine(e.getContext());
        problems.error(line, column, "this is not YAML: " + reason + context);
    }

    /** The line, if it is indented with a tab, or a tab is where a value should begin. */
    private static @Nullable String tabIn(String text, int line) {
        int start = 0;
        for (int i = 1; i < line; i++) {
            int end = text.indexOf('\n', start);
            if (end < 0) {
                return null;
            }
            start = end + 1;
        }
        int end = text.indexOf('\n', start);
        String content = text.substring(start, end < 0 ? text.length() : end);
        int tab = content.indexOf('\t');
        boolean indents = tab >= 0
                && content.substring(0, tab).chars().allMatch(c -> c == ' ' || c == '-' || c == '?' || c == ':');
        return indents ? content : null;
    }

    private static void badCharacter(String text, ReaderException e, Problems problems) {
        int line = 1;
        int column = 1;
        int position = 0;
        for (int i = 0; i < text.length() && position < e.getPosition(); position++) {
            int character = text.codePointAt(i);
            i += Character.charCount(character);
            column = character == '\n' ? 1 : column + 1;
            line += character == '\n' ? 1 : 0;
        }
        problems.error(
                line,
                column,
                String.format(
                        Locale.ROOT,
                        "the character U+%04X cannot be written as it is: in quotes, write \"\\u%04X\"",
                        e.getCodePoint(),
                        e.getCodePoint()));
    }

    private static String firstLine(String message) {
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }
}
