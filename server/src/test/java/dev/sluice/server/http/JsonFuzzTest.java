package dev.sluice.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.testing.Fuzzer;
import dev.sluice.server.api.ReportsDocument;
import dev.sluice.server.api.TokenDocument;
import dev.sluice.server.api.UpdateDocument;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Mutated JSON documents: they are read or rejected with a message for people. */
final class JsonFuzzTest {

    private static final List<Class<?>> TYPES =
            List.of(ReportsDocument.class, UpdateDocument.class, TokenDocument.class);

    /** What the parser throws, of several types. */
    private static final class NothingException extends Exception {
        private static final long serialVersionUID = 1;
    }

    private final JsonMapper json = Json.mapper();

    @Test
    void documents_mutated_areReadOrRejected() throws Exception {
        fuzz(Fuzzer.FEW_FILES);
    }

    @Test
    @Tag("long")
    void documents_mutatedOften_areReadOrRejected() throws Exception {
        fuzz(Fuzzer.MANY);
    }

    private void fuzz(int rounds) throws Exception {
        int accepted = new Fuzzer("json", NothingException.class, input -> {
                    boolean any = false;
                    for (Class<?> type : TYPES) {
                        any |= isRead(new String(input, UTF_8), type);
                    }
                    return any;
                })
                .run(rounds);
        assertThat(accepted).isBetween(1, rounds - 1);
    }

    private boolean isRead(String text, Class<?> type) {
        try {
            return json.readValue(text, type) != null;
        } catch (JacksonException e) {
            assertThat(JsonProblems.messageOf(e)).matches(Fuzzer::isReadable);
            assertThat(JsonProblems.pathOf(e)).isNotNull();
            return false;
        }
    }
}
