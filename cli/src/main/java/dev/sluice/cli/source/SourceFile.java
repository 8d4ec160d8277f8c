package dev.sluice.cli.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problem;
import dev.sluice.config.problem.Problems;
import dev.sluice.config.yaml.YamlLimits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A file named on the command line; {@code -} is standard input, which is read once. */
public final class SourceFile {

    /** Name of standard input in messages. */
    public static final String STANDARD_INPUT = "<stdin>";

    private final String name;
    private final @Nullable Path path;
    private @Nullable String text;
    private @Nullable Problem readError;

    private SourceFile(String name, @Nullable Path path) {
        this.name = name;
        this.path = path;
    }

    public static SourceFile named(String name, InputStream standardInput) {
        if (!name.equals("-")) {
            try {
                return new SourceFile(name, Path.of(name));
            } catch (InvalidPathException e) {
                SourceFile impossible = new SourceFile(name, null);
                impossible.readError = new Problem(name, 0, 0, "", "invalid file name");
                return impossible;
            }
        }
        SourceFile input = new SourceFile(STANDARD_INPUT, null);
        input.readAll(standardInput);
        return input;
    }

    /** Returns text that is in no file, under this name in messages. */
    public static SourceFile ofText(String name, String text) {
        SourceFile file = new SourceFile(name, null);
        file.text = text;
        return file;
    }

    private void readAll(InputStream in) {
        try {
            byte[] bytes = in.readNBytes(YamlLimits.FILE_BYTES_MAX + 1);
            if (bytes.length > YamlLimits.FILE_BYTES_MAX) {
                readError = problem("input too large: the maximum is " + (YamlLimits.FILE_BYTES_MAX >> 20) + " MiB");
            } else {
                String decoded =
                        UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
                text = decoded.startsWith("\uFEFF") ? decoded.substring(1) : decoded;
            }
        } catch (CharacterCodingException e) {
            readError = problem("not valid UTF-8");
        } catch (IOException e) {
            readError = problem("cannot be read: " + e.getMessage());
        }
    }

    private Problem problem(String message) {
        return new Problem(name, 0, 0, "", message);
    }

    /** Returns the name in messages. */
    public String name() {
        return name;
    }

    /** Parses this file: the first function reads files, the second reads text with a name. */
    public <T> ParseResult<T> read(
            Function<Path, ParseResult<T>> ofFile, BiFunction<String, String, ParseResult<T>> ofText) {
        if (readError != null) {
            return new ParseResult<>(null, List.of(readError), 0, List.of());
        }
        return path == null ? ofText.apply(name, text == null ? "" : text) : ofFile.apply(path);
    }

    /** Returns the raw text. */
    public ParseResult<String> text() {
        return read(
                file -> {
                    Problems problems = new Problems(name);
                    try {
                        if (Files.isDirectory(file)) {
                            problems.error(0, 0, "is a directory: give a file");
                        } else if (Files.size(file) > YamlLimits.FILE_BYTES_MAX) {
                            problems.error(
                                    0,
                                    0,
                                    "file too large: the maximum is " + (YamlLimits.FILE_BYTES_MAX >> 20) + " MiB");
                        } else {
                            return problems.result(Files.readString(file));
                        }
                    } catch (NoSuchFileException e) {
                        problems.error(0, 0, "file not found");
                    } catch (AccessDeniedException e) {
                        problems.error(0, 0, "permission denied");
                    } catch (CharacterCodingException e) {
                        problems.error(0, 0, "not valid UTF-8");
                    } catch (IOException e) {
                        problems.error(0, 0, "cannot be read: " + e.getMessage());
                    }
                    return problems.result(null);
                },
                (named, written) -> new ParseResult<>(written, List.of(), 0, List.of()));
    }

    /** Returns the lines with these numbers, from 1, that can still be read. */
    public SortedMap<Integer, String> lines(Stream<Integer> numbers) {
        SortedMap<Integer, String> lines = new TreeMap<>();
        numbers.filter(number -> number > 0).forEach(number -> lines.put(number, ""));
        if (lines.isEmpty()) {
            return lines;
        }
        int last = lines.lastKey();
        try (BufferedReader reader = path == null
                ? new BufferedReader(new StringReader(text == null ? "" : text))
                : Files.newBufferedReader(path)) {
            for (int number = 1; number <= last; number++) {
                String line = reader.readLine();
                if (line == null) {
                    break;
                }
                String shown = line;
                lines.computeIfPresent(number, (key, none) -> shown);
            }
        } catch (IOException e) {
            lines.clear();
        }
        return lines;
    }
}
