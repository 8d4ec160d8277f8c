package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks the Markdown documents: links, lengths, and the documents that code refers to. */
class DocumentationStyleTest {

    private static final int README_LINES_MAX = 150;
    private static final int LINE_LENGTH_MAX = 120;
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.+)$");
    private static final Pattern TYPE_DECLARATION = Pattern.compile("\\b(?:class|record|enum|@?interface) (\\w+)");
    private static final Pattern TYPE_NAME = Pattern.compile("`(?:[a-z]+/)?@?([A-Z][a-z]+(?:[A-Z][a-z]+)+)\\b[^`]*`");
    private static final Set<String> FOREIGN_TYPES =
            Set.of("BigInteger", "ByteBufferPool", "HashMap", "HttpConnection", "StrictMath", "ThreadPool");

    /** Kinds, conditions and reasons of Kubernetes. */
    private static final Set<String> KUBERNETES_WORDS = Set.of(
            "DisruptionTarget",
            "FailedScheduling",
            "MutatingAdmissionPolicy",
            "PodScheduled",
            "PreemptionByScheduler",
            "ReadWriteOncePod",
            "SchedulingGated",
            "SchedulingSkipped",
            "ValidatingAdmissionPolicy",
            "WaitForFirstConsumer");

    private static final Pattern CELL_END = Pattern.compile("(?<!\\\\)\\|");
    private static final Pattern DOCUMENT = Pattern.compile("\\bdocs/[\\w/-]+\\.md\\b");

    @Test
    void relativeLinks_leadToFilesAndHeadings() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path document : files(".md")) {
            Matcher links = LINK.matcher(withoutCode(Files.readString(document)));
            while (links.find()) {
                String link = links.group(1);
                if (!link.contains("://") && !link.startsWith("mailto:") && !leadsSomewhere(document, link)) {
                    broken.add(Program.REPOSITORY.relativize(document) + ": " + link);
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void documents_namedInCode_exist() throws IOException {
        Set<String> missing = new TreeSet<>();
        for (String type : List.of(".java", ".yaml")) {
            for (Path file : files(type)) {
                Matcher names = DOCUMENT.matcher(Files.readString(file));
                while (names.find()) {
                    if (!Files.exists(Program.REPOSITORY.resolve(names.group()))) {
                        missing.add(Program.REPOSITORY.relativize(file) + ": " + names.group());
                    }
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void types_namedInArchitectureAndDecisions_exist() throws IOException {
        Set<String> types = new TreeSet<>(FOREIGN_TYPES);
        types.addAll(KUBERNETES_WORDS);
        for (Path file : files(".java")) {
            TYPE_DECLARATION.matcher(Files.readString(file)).results().forEach(found -> types.add(found.group(1)));
        }
        Set<String> missing = new TreeSet<>();
        for (Path document : files(".md")) {
            if (document.endsWith("docs/ARCHITECTURE.md")
                    || document.startsWith(Program.REPOSITORY.resolve("docs/decisions"))) {
                TYPE_NAME
                        .matcher(withoutCode(Files.readString(document)))
                        .results()
                        .filter(found -> !types.contains(found.group(1)))
                        .forEach(found -> missing.add(Program.REPOSITORY.relativize(document) + ": " + found.group(1)));
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void rowsOfTables_haveAsManyCellsAsTheirHeadings() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Path document : files(".md")) {
            int cells = 0;
            for (String line : withoutCode(Files.readString(document)).lines().toList()) {
                int found = line.startsWith("|") ? CELL_END.split(line, -1).length : 0;
                if (found > 0 && cells > 0 && found != cells) {
                    wrong.add(Program.REPOSITORY.relativize(document) + ": " + line);
                }
                cells = cells > 0 && found > 0 ? cells : found;
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void examples_areListed() throws IOException {
        String documents = Files.readString(Program.REPOSITORY.resolve("docs/README.md"));
        try (Stream<Path> examples = Files.list(Program.REPOSITORY.resolve("examples"))) {
            assertThat(examples.map(example -> "(../examples/" + example.getFileName() + ")"))
                    .isNotEmpty()
                    .allMatch(documents::contains);
        }
    }

    @Test
    void readme_isShort() throws IOException {
        assertThat(Files.readAllLines(Program.REPOSITORY.resolve("README.md")))
                .hasSizeLessThanOrEqualTo(README_LINES_MAX);
    }

    @Test
    void linesOfArchitecture_areShort() throws IOException {
        assertThat(Files.readAllLines(Program.REPOSITORY.resolve("docs/ARCHITECTURE.md")))
                .filteredOn(line -> !line.startsWith("|") && line.length() > LINE_LENGTH_MAX)
                .isEmpty();
    }

    @Test
    void anchor_ofHeading_isAsOnGitHub() {
        assertThat(anchor("What it has, and what it *lacks*: `load`")).isEqualTo("what-it-has-and-what-it-lacks-load");
    }

    /** The files of the repository of this type, without what builds write. */
    private static List<Path> files(String type) throws IOException {
        try (Stream<Path> paths = Files.walk(Program.REPOSITORY)) {
            return paths.filter(path -> path.toString().endsWith(type))
                    .filter(path -> Stream.of("target", "node_modules", ".git", ".sluice")
                            .noneMatch(name -> Program.REPOSITORY
                                    .relativize(path)
                                    .toString()
                                    .matches("(.*/)?" + Pattern.quote(name) + "/.*")))
                    .sorted()
                    .toList();
        }
    }

    private static boolean leadsSomewhere(Path document, String link) throws IOException {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty()
                ? document
                : document.resolveSibling(parts[0]).normalize();
        if (!Files.exists(target)) {
            return false;
        }
        return parts.length == 1
                || !target.toString().endsWith(".md")
                || anchors(withoutCode(Files.readString(target))).contains(parts[1]);
    }

    private static Set<String> anchors(String text) {
        Set<String> anchors = new TreeSet<>();
        Matcher headings = HEADING.matcher(text);
        while (headings.find()) {
            anchors.add(anchor(headings.group(1)));
        }
        return anchors;
    }

    /** The anchor that GitHub gives a heading. */
    private static String anchor(String heading) {
        return heading.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}\\p{M} _-]", "")
                .replace(' ', '-');
    }

    /** The text without fenced blocks, in which links and headings mean nothing. */
    private static String withoutCode(String text) {
        return text.replaceAll("(?s)(?m)^ *```.*?^ *```", "");
    }
}
