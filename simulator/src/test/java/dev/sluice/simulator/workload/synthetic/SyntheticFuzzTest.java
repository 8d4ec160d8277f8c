package dev.sluice.simulator.workload.synthetic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.simulator.workload.Arrival;
import dev.sluice.simulator.workload.ArrivalStream;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Randomly corrupted files: they are rejected with problems that have a position, or give arrivals. */
class SyntheticFuzzTest {

    private static final int ROUNDS = 3_000;
    private static final Pattern VALUE = Pattern.compile(": ([-0-9a-zA-Z.]+)");
    private static final String VALID = """
            nodes: [{name: w, count: 10, capacity: {vcore: 16}}]
            synthetic:
              seed: 3
              begin: 2026-01-05T00:00:00Z
              for: 24h
              applications: 200
              arrivals: {every: 30s, daily: {peak: 14h, ratio: 9}, burst: {uniform: {from: 1, to: 3}}}
              users: [{name: ada, weight: 3, groups: [web]}, {name: dev, count: 50, zipf: 1}]
              kinds:
                - {name: a, weight: 9, duration: {lognormal: {median: 2m, sigma: 1, max: 1h}}, resources: {vcore: 500m}}
                - {name: b, users: [dev], tasks: {powersoftwo: {from: 1, to: 8}}, duration: {exponential: {mean: 1h, min: 1m}}}
                - {name: c, priority: {choice: [-1, {value: 5, weight: 2}]}, duration: {pareto: {from: 1s, alpha: 2}}}
            """;
    private static final String[] PIECES = {
        "0",
        "1",
        "2",
        "5m",
        "1h",
        "3.5",
        "100",
        "1Gi",
        "t",
        "9",
        "-",
        ".",
        "e",
        "m",
        "d",
        "{",
        "}",
        "[",
        "]",
        ": ",
        ", ",
        "\n",
        " ",
        "null",
        "-1",
        "0s",
        "100000d",
        "9223372036854775807",
        "1e308",
        "1e-308",
        ".inf",
        ".nan",
        "999999999999",
        "weight: 0",
        "median: 1ns",
        "name",
        "max: ",
        "to: ",
        "ratio: 1000",
        "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59Z"
    };

    /** Replaces values by others, or characters anywhere. */
    private static String damaged(SplittableRandom random) {
        StringBuilder text = new StringBuilder(VALID);
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            String piece = PIECES[random.nextInt(PIECES.length)];
            int at = random.nextInt(text.length());
            int end = Math.min(text.length(), at + 1 + random.nextInt(6));
            if (random.nextInt(4) > 0) {
                Matcher value = VALUE.matcher(text);
                if (value.find(at)) {
                    text.replace(value.start(1), value.end(1), piece);
                }
            } else {
                text.replace(at, end, piece);
            }
        }
        return text.toString();
    }

    @Test
    void file_corrupted_isRejectedOrGivesArrivals() {
        SplittableRandom seeds = new SplittableRandom(Long.getLong("seed", 1));
        int given = 0;
        for (int i = 0; i < ROUNDS; i++) {
            long seed = seeds.nextLong();
            String text = damaged(new SplittableRandom(seed));
            try {
                given += arrivals(SyntheticWorkload.read("f", text));
            } catch (Exception | StackOverflowError e) {
                throw new AssertionError("seed " + seed + ":\n" + text, e);
            }
        }
        assertThat(given).as("arrivals of files that were not damaged too much").isGreaterThan(ROUNDS);
    }

    private static int arrivals(ParseResult<SyntheticWorkload> reading) throws Exception {
        assertThat(reading.problems())
                .allMatch(problem -> problem.line() > 0 && !problem.message().isBlank());
        int count = 0;
        if (reading.isOk()) {
            try (ArrivalStream stream = reading.value().open()) {
                Instant last = Instant.MIN;
                for (Arrival next = stream.next(); next != null && count < 50; next = stream.next()) {
                    assertThat(next.submitted()).isAfterOrEqualTo(last);
                    last = next.submitted();
                    count++;
                }
            }
        }
        return count;
    }
}
