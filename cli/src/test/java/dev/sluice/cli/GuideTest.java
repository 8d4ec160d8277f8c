package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.snapshot.JobFileReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the samples of the README and the guides.
 *
 * <p>A block {@code ```yaml [name.yaml]} is a file. A block {@code ```console} shows a command, which runs in a folder
 * with the files of its document, and its output. A line {@code …} stands for any lines. With
 * {@code -Dsluice.write=true} the outputs are written anew instead of compared, and so is the sample report.
 */
class GuideTest {

    private static final Pattern FILE = Pattern.compile("```yaml \\[(.+?)]\n(.*?)```", Pattern.DOTALL);
    private static final Pattern JOB_FILE = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
    private static final Pattern CONSOLE =
            Pattern.compile("```console\n\\$ \\./sluice ((?:[^\n]*\\\\\n)*[^\n]*)\n(.*?)```", Pattern.DOTALL);

    /** A word of a command, or several in quotes. */
    private static final Pattern WORD = Pattern.compile("'([^']*)'|[^ ]+");

    private static final Path REPORT = Program.REPOSITORY.resolve("docs/reports/office.html");
    private static final boolean WRITE = Boolean.getBoolean("sluice.write");

    static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>(List.of(Path.of("README.md")));
        try (Stream<Path> guides = Files.walk(Program.REPOSITORY.resolve("docs/guides"))) {
            guides.filter(path -> path.toString().endsWith(".md"))
                    .map(Program.REPOSITORY::relativize)
                    .sorted()
                    .forEach(documents::add);
        }
        return documents;
    }

    @Test
    void jobFile_inTheReadme_isValid() throws IOException {
        Matcher blocks = JOB_FILE.matcher(Files.readString(Program.REPOSITORY.resolve("README.md")));
        assertThat(blocks.find()).isTrue();
        assertThat(JobFileReader.read("README.md", blocks.group(1), Instant.EPOCH)
                        .report())
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void files_thatNoCommandReads_areValid(Path document, @TempDir Path folder) throws IOException {
        String text = Files.readString(Program.REPOSITORY.resolve(document));
        String commands = CONSOLE.matcher(text)
                .results()
                .map(block -> block.group(1))
                .toList()
                .toString();
        for (Path file : writeFiles(text, folder)) {
            if (!commands.contains(file.getFileName().toString())) {
                Program.ProgramResult result = Program.execute("validate", file.toString());
                assertThat(result.exitCode()).as(result.toString()).isZero();
            }
        }
    }

    private static boolean hasSimulations(Path document) {
        try {
            return Files.readString(Program.REPOSITORY.resolve(document)).contains("$ ./sluice simulate");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Path> documentsWithoutSimulations() throws IOException {
        return documents().stream()
                .filter(document -> !hasSimulations(document))
                .toList();
    }

    static List<Path> documentsWithSimulations() throws IOException {
        return documents().stream().filter(GuideTest::hasSimulations).toList();
    }

    @ParameterizedTest
    @MethodSource("documentsWithoutSimulations")
    void commands_ofDocument_printWhatIsShown(Path document, @TempDir Path folder) throws IOException {
        check(document, folder);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("documentsWithSimulations")
    void simulations_ofDocument_printWhatIsShown(Path document, @TempDir Path folder) throws IOException {
        check(document, folder);
    }

    private static void check(Path document, Path folder) throws IOException {
        Path path = Program.REPOSITORY.resolve(document);
        String text = Files.readString(path);
        writeFiles(text, folder);
        Map<String, String> renewed = new LinkedHashMap<>();

        Matcher blocks = CONSOLE.matcher(text);
        while (blocks.find()) {
            String shown = blocks.group(2);
            String printed = run(blocks.group(1), folder);
            if (WRITE) {
                renewed.put(blocks.group(1) + "\n" + shown, blocks.group(1) + "\n" + renew(shown, printed));
            } else {
                assertThat(printed)
                        .as(document + ": the output of " + blocks.group(1)
                                + " has changed; write the guides anew with\n"
                                + "  mvn -pl cli -am test -Dtest=GuideTest -Dsluice.write=true -Dtests.excluded=long"
                                + " -Dsurefire.failIfNoSpecifiedTests=false")
                        .matches(pattern(shown));
            }
        }
        if (WRITE) {
            for (Map.Entry<String, String> block : renewed.entrySet()) {
                text = text.replace(block.getKey(), block.getValue());
            }
            Files.writeString(path, text);
        }
        compareReport(folder.resolve("office.html"));
    }

    private static List<Path> writeFiles(String text, Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        Matcher blocks = FILE.matcher(text);
        while (blocks.find()) {
            files.add(Files.writeString(folder.resolve(blocks.group(1)), blocks.group(2)));
        }
        return files;
    }

    private static String run(String command, Path folder) {
        List<String> arguments = new ArrayList<>();
        Matcher words = WORD.matcher(command.replace("\\\n", " "));
        while (words.find()) {
            arguments.add(words.group(1) == null ? words.group() : words.group(1));
        }
        arguments.replaceAll(argument -> argument.startsWith("examples/")
                ? Program.REPOSITORY.resolve(argument).toString()
                : argument.matches("\\w[\\w-]*\\.(yaml|html)")
                        ? folder.resolve(argument).toString()
                        : argument);
        if (arguments.get(0).equals("simulate")) {
            arguments.add("-q");
        }
        Program.ProgramResult result = Program.execute(arguments.toArray(String[]::new));
        String printed = result.out() + (arguments.get(0).equals("validate") ? result.err() : "");
        return printed.replace(folder + "/", "").stripTrailing() + "\n";
    }

    /** A pattern of what is shown: a line with an ellipsis matches any lines. */
    private static Pattern pattern(String shown) {
        StringBuilder pattern = new StringBuilder();
        for (String line : shown.split("\n", -1)) {
            pattern.append(line.equals("…") ? "(?s:.*)" : Pattern.quote(line + "\n"));
        }
        // the last line is empty: the output ends with a line feed
        String text = pattern.toString();
        return Pattern.compile(
                text.substring(0, text.length() - Pattern.quote("\n").length()));
    }

    /**
     * What is printed, shortened as what is shown: parts between ellipses keep their sizes and are where most words
     * agree.
     */
    private static String renew(String shown, String printed) {
        List<String> parts = List.of(shown.stripTrailing().split("(?m)^…\n?", -1));
        if (parts.size() == 1) {
            return printed;
        }
        List<String> lines = List.of(printed.stripTrailing().split("\n"));
        StringBuilder renewed = new StringBuilder();
        for (int i = 0; i < parts.size(); i++) {
            List<String> part =
                    parts.get(i).isEmpty() ? List.of() : List.of(parts.get(i).split("\n"));
            int from = 0;
            if (i > 0) {
                int last = lines.size() - part.size();
                from = i == parts.size() - 1 ? last : mostAlike(part, lines, last);
            }
            for (String line : lines.subList(from, from + part.size())) {
                renewed.append(line).append('\n');
            }
            renewed.append(i < parts.size() - 1 ? "…\n" : "");
        }
        return renewed.toString();
    }

    private static int mostAlike(List<String> part, List<String> lines, int last) {
        int best = 0;
        long bestAlike = -1;
        for (int from = 0; from <= last; from++) {
            long alike = 0;
            for (int i = 0; i < part.size(); i++) {
                List<String> words = List.of(lines.get(from + i).strip().split(" +"));
                alike += Stream.of(part.get(i).strip().split(" +"))
                        .filter(words::contains)
                        .count();
            }
            if (alike > bestAlike) {
                bestAlike = alike;
                best = from;
            }
        }
        return best;
    }

    private static void compareReport(Path report) throws IOException {
        if (!Files.exists(report)) {
            return;
        }
        if (WRITE) {
            Files.writeString(REPORT, Files.readString(report));
        }
        assertThat(Files.readString(REPORT).equals(Files.readString(report)))
                .as("docs/reports/office.html is what the program writes today")
                .isTrue();
    }
}
