package dev.sluice.core.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.configuration.AccessList;
import dev.sluice.core.resource.Quantity;
import dev.sluice.core.resource.QuantityException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Mutated quantities and access control lists, and the fuzzer itself. */
final class TextFuzzTest {

    @Test
    void texts_mutated_areReadOrRejected() throws Exception {
        fuzz(Fuzzer.FEW);
    }

    @Test
    @Tag("long")
    void texts_mutatedOften_areReadOrRejected() throws Exception {
        fuzz(Fuzzer.MANY);
    }

    private static void fuzz(int rounds) throws Exception {
        int quantities = new Fuzzer("quantity", QuantityException.class, input -> {
                    String text = new String(input, UTF_8);
                    for (String type : List.of("vcore", "memory", "gpu")) {
                        String written = Quantity.format(type, Quantity.parse(type, text));
                        assertThat(Quantity.parse(type, written)).isEqualTo(Quantity.parse(type, text));
                    }
                    return true;
                })
                .run(rounds);
        int lists = new Fuzzer("acl", IllegalArgumentException.class, input -> {
                    AccessList list = AccessList.parse(new String(input, UTF_8));
                    return list.allows("alice", List.of("dev"));
                })
                .run(rounds);
        assertThat(List.of(quantities, lists)).allMatch(accepted -> accepted > rounds / 100 && accepted < rounds);
    }

    @Test
    void fuzzer_undocumentedRejection_fails() throws Exception {
        for (Throwable wrong : List.of(
                new NumberFormatException("x"),
                new StackOverflowError("x"),
                new IllegalArgumentException("java.lang.String"),
                new IllegalArgumentException())) {
            Fuzzer fuzzer = new Fuzzer("acl", IllegalArgumentException.class, input -> {
                if (wrong instanceof Error error) {
                    throw error;
                }
                throw (Exception) wrong;
            });
            assertThatThrownBy(() -> fuzzer.run(1)).isInstanceOf(AssertionError.class);
        }
        Fuzzer greedy =
                new Fuzzer("acl", IllegalArgumentException.class, input -> new byte[300 << 20].length > input.length);
        assertThatThrownBy(() -> greedy.run(1)).hasMessageContaining("allocated");
    }
}
