package dev.sluice.config.yaml;

import dev.sluice.config.problem.Problems;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlVersionException;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Reads one YAML document, or JSON, into a tree of values with positions. Plain JSON is read by {@link JsonReader}.
 *
 * <p>The result is a tree or a problem for any text, in time and memory bounded by {@link YamlLimits}.
 */
public final class YamlReader {

    private YamlReader() {}

    /** Returns the document in this file; null after a problem. */
    public static @Nullable YamlValue read(Path path, Problems problems) {
        String text = FileText.read(path, problems);
        return text == null ? null : read(text, problems);
    }

    /** Returns the document of this text; null after a problem. */
    public static @Nullable YamlValue read(String text, Problems problems) {
        return read(text, problems, new TextInterner());
    }

    /** Returns the document of this text, the texts in which are shared with others; null after a problem. */
    public static @Nullable YamlValue read(String text, Problems problems, TextInterner interner) {
        if (text.length() > YamlLimits.FILE_BYTES_MAX) {
            problems.error(0, 0, "text too large: the maximum is " + YamlLimits.FILE_BYTES_MAX + " characters");
            return null;
        }
        YamlValue json = JsonReader.read(text, interner);
        return json == null ? yaml(text, problems, interner) : json;
    }

    /** Returns the document of this text, read by the YAML parser; null after a problem. */
    static @Nullable YamlValue yaml(String text, Problems problems, TextInterner interner) {
        LoadSettings settings = LoadSettings.builder()
                .setCodePointLimit(Integer.MAX_VALUE)
                .setParseComments(false)
                .setUseMarks(true)
                .build();
        try {
            return new TreeBuilder(problems, interner)
                    .build(new ParserImpl(settings, new StreamReader(settings, text)));
        } catch (MarkedYamlEngineException e) {
            SyntaxProblem problem = SyntaxProblem.of(text, e);
            problems.error(problem.line(), problem.column(), problem.message());
        } catch (ReaderException e) {
            badCharacter(text, e, problems);
        } catch (TreeBuilder.InvalidYamlException e) {
            problems.error(e.line(), e.column(), e.reason());
        } catch (YamlVersionException e) {
            problems.error(1, 1, "unsupported version of YAML: remove the line with %YAML");
        } catch (NumberFormatException e) {
            // the scanner expects hexadecimal digits also after the end of the text
            String last = text.substring(text.lastIndexOf('\n') + 1);
            problems.error(
                    1 + (int) text.chars().filter(c -> c == '\n').count(),
                    1 + last.codePointCount(0, last.length()),
                    SyntaxProblem.MISSING_DIGITS);
        } catch (YamlEngineException e) {
            problems.error(1, 1, "not valid YAML: " + firstLine(String.valueOf(e.getMessage())));
        }
        return null;
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
                        "the character U+%04X must be escaped: in double quotes, write \"\\u%04X\"",
                        e.getCodePoint(),
                        e.getCodePoint()));
    }

    private static String firstLine(String message) {
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }
}
