package dev.sluice.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.core.testing.Fuzzer;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Mutated conditions, nodes and ends of a simulation: they are read or rejected with a message for people. */
final class OptionFuzzTest {

    private static final Instant FIRST = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void options_mutated_areReadOrRejected() throws Exception {
        fuzz(Fuzzer.FEW);
    }

    @Test
    @Tag("long")
    void options_mutatedOften_areReadOrRejected() throws Exception {
        fuzz(Fuzzer.MANY);
    }

    private static void fuzz(int rounds) throws Exception {
        int conditions = new Fuzzer(
                        "conditions",
                        IllegalArgumentException.class,
                        input -> ConditionText.parse(new String(input, UTF_8), List.of("vcore")) != null)
                .run(rounds);
        int nodes = new Fuzzer("nodes", IllegalArgumentException.class, input -> {
                    ParseResult<NodeSweep> reading = NodesOption.read(new String(input, UTF_8), null, List.of());
                    assertThat(reading.problems())
                            .allSatisfy(problem -> assertThat(problem.message()).matches(Fuzzer::isReadable));
                    return reading.isOk();
                })
                .run(rounds);
        int ends = new Fuzzer(
                        "until",
                        IllegalArgumentException.class,
                        input -> EndTime.parse(new String(input, UTF_8), FIRST).isAfter(FIRST))
                .run(rounds);
        assertThat(List.of(conditions, nodes, ends)).allMatch(accepted -> accepted > 0 && accepted < rounds);
    }
}
