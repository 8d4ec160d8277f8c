package dev.sluice.cli.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the style rules of CONTRIBUTING.md that a program can check: words, line lengths and commit subjects. */
final class StyleTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final String SELF = "cli/src/test/java/dev/sluice/cli/architecture/StyleTest.java";
    private static final Set<String> SKIPPED_FOLDERS = Set.of("target", ".git", ".mvn", ".sluice", "node_modules");
    private static final int COMMENT_COLUMNS_MAX = 120;
    private static final int SUBJECT_LENGTH_MAX = 72;

    /** Words of an earlier vocabulary, each with the standard term; matched as part of identifiers and of texts. */
    private static final List<Word> WORDS = List.of(
            new Word("[Ss]ituation", "snapshot"),
            new Word("[Kk]eepsake", "history record"),
            new Word("[Ll]ottery|\\bby lot\\b|\\bdrawn by lots?\\b", "weighted random draw"),
            new Word("\\b(?:[Mm]akes?|[Mm]aking|[Mm]ade) way\\b|[Mm]akingWay", "preempt"),
            new Word("\\bDesk\\b|\\bdesk\\b", "transaction context"),
            new Word("\\bRoomTree\\b|\\bNodeRoom\\b", "capacity index"),
            new Word("\\bPendingShapes?\\b|\\bpassed over\\b|\\bpassOver", "equivalence class, skip"),
            new Word("\\bgoes on where it was\\b|\\bnobody knows\\b", "resumes"),
            new Word("\\b(?:so|as) many (?:tasks|bytes|lines|events|nodes|applications) at most\\b", "maximum number"));

    private static final Pattern SUBJECT_REFUSED = Pattern.compile(
            "(?i)^(?:[a-z/ ,-]+: )?(?:let|have|hold|tell|try|format|wip|fixup|squash|let the checks pass)\\b.*");

    private record Word(Pattern pattern, String instead) {
        Word(String regex, String instead) {
            this(Pattern.compile(regex), instead);
        }
    }

    @Test
    void texts_haveNoWordsOfTheEarlierVocabulary() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : files(".java", ".md", ".yaml", ".properties")) {
            if (relative(file).equals(SELF) || relative(file).equals("CHANGELOG.md")) {
                continue;
            }
            List<String> lines = Files.readAllLines(file);
            for (int i = 0; i < lines.size(); i++) {
                for (Word word : WORDS) {
                    Matcher matcher = word.pattern().matcher(lines.get(i));
                    if (matcher.find()) {
                        found.add(relative(file) + ":" + (i + 1) + ": \"" + matcher.group() + "\", write "
                                + word.instead());
                    }
                }
            }
        }
        assertThat(found).as("words with a standard term").isEmpty();
    }

    @Test
    void comments_fitIntoTheirColumns() throws IOException {
        Pattern comment = Pattern.compile("^\\s*(?:/\\*\\*?|\\*|//)(?: .*|$)");
        List<String> found = new ArrayList<>();
        for (Path file : files(".java")) {
            List<String> lines = Files.readAllLines(file);
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i);
                if (line.length() > COMMENT_COLUMNS_MAX
                        && comment.matcher(line).matches()
                        && !line.contains("http")
                        && !line.contains("{@")) {
                    found.add(relative(file) + ":" + (i + 1) + ": " + line.length() + " columns");
                }
            }
        }
        assertThat(found)
                .as("comment lines of more than " + COMMENT_COLUMNS_MAX + " columns")
                .isEmpty();
    }

    /** Checks the commits that follow the one that added this check. */
    @Test
    void commitSubjects_areShortAndImperative() throws IOException, InterruptedException {
        assumeTrue(Files.exists(ROOT.resolve(".git")), "not a git checkout");
        List<String> added = git("log", "--diff-filter=A", "--format=%H", "--", SELF);
        assumeTrue(!added.isEmpty(), "the history does not reach back to the commit that added this check");
        assertThat(git("log", "--no-merges", "--format=%s", added.get(added.size() - 1) + "..HEAD"))
                .allSatisfy(
                        subject -> assertThat(problemOf(subject)).as(subject).isEmpty());
    }

    @ParameterizedTest
    @CsvSource({
        "'core: rename Shape to EquivalenceClass', ''",
        "'Let the checks pass', 'begin with a verb such as Add, Fix, Rename'",
        "'server: let answers go out', 'begin with a verb such as Add, Fix, Rename'",
        "'Letters are sorted', ''",
        "'A subject that is far longer than what git log --oneline shows on one line of a terminal', 'longer than 72'"
    })
    void commitSubject_refused_saysWhy(String subject, String problem) {
        assertThat(problemOf(subject)).isEqualTo(problem);
    }

    private static String problemOf(String subject) {
        return subject.length() > SUBJECT_LENGTH_MAX
                ? "longer than " + SUBJECT_LENGTH_MAX
                : SUBJECT_REFUSED.matcher(subject).matches() ? "begin with a verb such as Add, Fix, Rename" : "";
    }

    private static List<String> git(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(ROOT.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assumeTrue(process.waitFor() == 0, "git cannot read the history");
        return lines;
    }

    private static List<Path> files(String... endings) throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            return modules.filter(path -> !isSkipped(path))
                    .sorted()
                    .flatMap(StyleTest::walk)
                    .filter(path -> Stream.of(endings)
                            .anyMatch(ending -> path.getFileName().toString().endsWith(ending)))
                    .toList();
        }
    }

    private static Stream<Path> walk(Path folder) {
        if (Files.isRegularFile(folder)) {
            return Stream.of(folder);
        }
        try (Stream<Path> children = Files.list(folder)) {
            return children
                    .filter(path -> !isSkipped(path))
                    .sorted()
                    .flatMap(path -> Files.isDirectory(path) ? walk(path) : Stream.of(path))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isSkipped(Path path) {
        return SKIPPED_FOLDERS.contains(path.getFileName().toString()) || Files.isSymbolicLink(path);
    }

    private static String relative(Path file) {
        return ROOT.relativize(file).toString();
    }
}
