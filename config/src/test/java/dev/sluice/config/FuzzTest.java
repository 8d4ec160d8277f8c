package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.queues.QueueConfigurationReader;
import dev.sluice.config.queues.QueueConfigurationWriter;
import dev.sluice.config.snapshot.JobFileReader;
import dev.sluice.config.snapshot.NodeListReader;
import dev.sluice.config.snapshot.SnapshotReader;
import dev.sluice.config.snapshot.SnapshotWriter;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Randomly damaged files: a reader returns a value or problems with positions, and never throws. */
class FuzzTest {

    private static final int ROUNDS = 1_000;
    private static final String[] PIECES = {
        "\t",
        "\n",
        " ",
        "  ",
        ":",
        ": ",
        "- ",
        "{",
        "}",
        "[",
        "]",
        "\"",
        "'",
        "#",
        "&a ",
        "*a",
        "<<: ",
        "!!int ",
        "|",
        ">",
        "---\n",
        "...",
        "%YAML 1.2\n",
        "null",
        "true",
        "-1",
        "9223372036854775808",
        "1e999",
        ".nan",
        "0x10",
        "\\",
        "\u0000",
        "\u0007",
        "\uD83D\uDE00",
        "\uD800",
        "é",
        "\uFEFF",
        "\u2028",
        "name",
        "queues",
        "tasks",
        "at",
        "after",
        "count: 99999999999",
        "? ",
        "@",
        "`",
        "parent: maybe",
        "-0",
        "((((",
        "999999999d",
        "-5s",
        "+999999999-12-31T23:59:59Z"
    };

    private final long start = Long.getLong("seed", 1);

    private static String damaged(String text, SplittableRandom random) {
        StringBuilder damaged = new StringBuilder(text);
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            int at = random.nextInt(damaged.length() + 1);
            int end = Math.min(damaged.length(), at + 1 + random.nextInt(random.nextInt(5) == 0 ? 200 : 6));
            switch (random.nextInt(5)) {
                case 0 -> damaged.delete(at, end);
                case 1 -> damaged.insert(at, damaged.substring(at, end));
                case 2 -> damaged.setLength(Math.max(1, random.nextInt(20) == 0 ? at : damaged.length()));
                case 3 -> damaged.insert(at, text, 0, Math.min(text.length(), random.nextInt(50)));
                default -> damaged.insert(at, PIECES[random.nextInt(PIECES.length)]);
            }
        }
        return damaged.toString();
    }

    private static void check(String what, long seed, String text, List<ParseResult<?>> readings) {
        for (ParseResult<?> reading : readings) {
            assertThat(reading.isOk() || !reading.report().isEmpty())
                    .as("seed %d", seed)
                    .isTrue();
            assertThat(reading.problems())
                    .as("%s of seed %d:%n%s", what, seed, text)
                    .allSatisfy(problem -> {
                        assertThat(problem.line()).isBetween(1, text.length() + 1);
                        assertThat(problem.column()).isBetween(1, text.length() + 2);
                        assertThat(problem.message()).isNotBlank().doesNotContain("\n");
                    });
        }
    }

    @Test
    void queues_damaged_yieldValueOrProblems() {
        SplittableRandom seeds = new SplittableRandom(start);
        for (int i = 0; i < ROUNDS; i++) {
            long seed = seeds.nextLong();
            String text = damaged(
                    QueueConfigurationWriter.yaml(new RandomValues(seed).partitions()), new SplittableRandom(seed));
            run(seed, text, () -> check("queues", seed, text, List.of(QueueConfigurationReader.read("f", text))));
        }
    }

    @Test
    void snapshot_damaged_yieldsValueOrProblems() {
        SplittableRandom seeds = new SplittableRandom(start);
        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        for (int i = 0; i < ROUNDS; i++) {
            long seed = seeds.nextLong();
            RandomValues values = new RandomValues(seed);
            String valid = i % 4 == 0 ? SnapshotWriter.json(values.snapshot()) : SnapshotWriter.yaml(values.snapshot());
            String text = damaged(valid, new SplittableRandom(seed));
            run(
                    seed,
                    text,
                    () -> check(
                            "snapshot",
                            seed,
                            text,
                            List.of(
                                    SnapshotReader.read("f", text),
                                    JobFileReader.read("f", text, now),
                                    JobFileReader.readWorkload("f", text),
                                    NodeListReader.read("f", text))));
        }
    }

    private static void run(long seed, String text, Runnable check) {
        try {
            check.run();
        } catch (RuntimeException | StackOverflowError e) {
            throw new AssertionError("seed " + seed + ":\n" + text, e);
        }
    }
}
