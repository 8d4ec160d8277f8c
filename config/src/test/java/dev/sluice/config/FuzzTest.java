package dev.sluice.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.field.DurationText;
import dev.sluice.config.field.InstantText;
import dev.sluice.config.field.StartTimeText;
import dev.sluice.config.notification.NotificationReader;
import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.queues.QueueConfigurationReader;
import dev.sluice.config.queues.QueueConfigurationWriter;
import dev.sluice.config.snapshot.JobFileReader;
import dev.sluice.config.snapshot.NodeListReader;
import dev.sluice.config.snapshot.SnapshotReader;
import dev.sluice.config.snapshot.SnapshotWriter;
import dev.sluice.core.testing.Fuzzer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Mutated files: a reader returns a value or problems with positions, and never throws. Mutated times are rejected. */
class FuzzTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final int GENERATED = 60;

    /** What readers throw to reject a file. */
    private static final class NothingException extends Exception {
        private static final long serialVersionUID = 1;
    }

    @Test
    @Tag("slow")
    void files_mutated_areReadOrRejected() throws Exception {
        fuzzFiles(Fuzzer.FEW_FILES);
    }

    @Test
    @Tag("long")
    void files_mutatedOften_areReadOrRejected() throws Exception {
        fuzzFiles(Fuzzer.MANY);
    }

    private static void fuzzFiles(int rounds) throws Exception {
        List<Integer> accepted = new ArrayList<>();
        accepted.add(fuzz(
                "queues",
                generated(values -> QueueConfigurationWriter.yaml(values.partitions())),
                rounds,
                List.of(text -> QueueConfigurationReader.read("f", text))));
        List<byte[]> snapshots = generated(values -> SnapshotWriter.yaml(values.snapshot()));
        snapshots.addAll(generated(values -> SnapshotWriter.json(values.snapshot())));
        accepted.add(fuzz(
                "snapshots",
                snapshots,
                rounds,
                List.of(text -> SnapshotReader.read("f", text), text -> NodeListReader.read("f", text))));
        accepted.add(fuzz(
                "jobs",
                examples(),
                rounds,
                List.of(text -> JobFileReader.read("f", text, NOW), text -> JobFileReader.readWorkload("f", text))));
        accepted.add(fuzz("notifications", List.of(), rounds, List.of(text -> NotificationReader.read("f", text))));
        assertThat(accepted).allMatch(count -> count > 0 && count < rounds);
    }

    private static List<byte[]> generated(Function<RandomValues, String> file) {
        List<byte[]> files = new ArrayList<>();
        for (int seed = 0; seed < GENERATED; seed++) {
            files.add(file.apply(new RandomValues(seed)).getBytes(UTF_8));
        }
        return files;
    }

    private static List<byte[]> examples() throws Exception {
        List<byte[]> files = new ArrayList<>();
        try (Stream<Path> examples = Files.list(Path.of("../examples"))) {
            for (Path example : examples.filter(Files::isRegularFile).sorted().toList()) {
                files.add(Files.readAllBytes(example));
            }
        }
        return files;
    }

    private static int fuzz(
            String corpus, List<byte[]> files, int rounds, List<Function<String, ParseResult<?>>> readers)
            throws Exception {
        return new Fuzzer(corpus, files, NothingException.class, input -> {
                    String text = new String(input, UTF_8);
                    boolean accepted = false;
                    for (Function<String, ParseResult<?>> reader : readers) {
                        ParseResult<?> reading = reader.apply(text);
                        check(text, reading);
                        accepted |= reading.isOk();
                    }
                    return accepted;
                })
                .run(rounds);
    }

    private static void check(String text, ParseResult<?> reading) {
        assertThat(reading.isOk() || !reading.report().isEmpty()).isTrue();
        assertThat(reading.problems()).allSatisfy(problem -> {
            assertThat(problem.line()).isBetween(1, text.length() + 1);
            assertThat(problem.column()).isBetween(1, text.length() + 2);
            assertThat(problem.message()).doesNotContain("\n").matches(Fuzzer::isReadable);
        });
    }

    @Test
    void times_mutated_areReadOrRejected() throws Exception {
        fuzzTimes(Fuzzer.FEW);
    }

    @Test
    @Tag("long")
    void times_mutatedOften_areReadOrRejected() throws Exception {
        fuzzTimes(Fuzzer.MANY);
    }

    private static void fuzzTimes(int rounds) throws Exception {
        int durations = new Fuzzer(
                        "durations",
                        IllegalArgumentException.class,
                        input -> !DurationText.parse(new String(input, UTF_8)).isNegative())
                .run(rounds);
        int instants = new Fuzzer(
                        "instants",
                        DateTimeParseException.class,
                        input -> InstantText.parse(new String(input, UTF_8)) != null)
                .run(rounds);
        int startTimes = new Fuzzer(
                        "starttimes",
                        IllegalArgumentException.class,
                        input -> StartTimeText.parse(new String(input, UTF_8), NOW, ZoneId.of("Europe/Berlin")) != null)
                .run(rounds);
        assertThat(List.of(durations, instants, startTimes)).allMatch(accepted -> accepted > 0 && accepted < rounds);
    }
}
