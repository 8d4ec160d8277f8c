package dev.sluice.server.routes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.server.api.LogView;
import dev.sluice.server.http.Json;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Limit of log chunks read concurrently. */
final class LogChunksTest {

    private static final int MIB = 1 << 20;

    private final LogChunks parts = new LogChunks(Json.mapper(), 16 * MIB);

    private ApiResponse.StreamBody part(long bytes) {
        ApiResponse answer = parts.answer(bytes, () -> new LogView("t", 0, 2, true, "a\u001b"));
        return (ApiResponse.StreamBody)
                Objects.requireNonNull(Objects.requireNonNull(answer).body());
    }

    @Test
    void chunks_openBeyondLimit_areRefused() {
        List<ApiResponse.StreamBody> open = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            open.add(part(MIB));
        }
        assertThatThrownBy(() -> part(MIB)).isInstanceOfSatisfying(ProblemException.class, refusal -> {
            assertThat(refusal.kind()).isEqualTo(ProblemKind.BUSY);
            assertThat(refusal.retryAfter()).isNotNull();
        });
        part(100).close();

        open.forEach(ApiResponse.StreamBody::close);
        open.get(0).close(); // closing again has no effect

        for (int i = 0; i < 3; i++) {
            open.set(i, part(MIB));
        }
        assertThatThrownBy(() -> part(MIB)).isInstanceOf(ProblemException.class);
    }

    @Test
    void chunk_missing_takesNoMemory() {
        for (int i = 0; i < 100; i++) {
            assertThat(parts.answer(MIB, () -> null)).isNull();
        }
    }

    @Test
    void chunk_clientDisconnected_isNoError() {
        String text = "x".repeat(MIB);
        ApiResponse answer = Objects.requireNonNull(parts.answer(MIB, () -> new LogView("t", 0, MIB, true, text)));
        OutputStream gone = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("connection reset");
            }
        };
        assertThatThrownBy(() -> ((ApiResponse.StreamBody) Objects.requireNonNull(answer.body())).write(gone))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("connection reset");
    }

    @Test
    void chunk_isWrittenAsJson() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        part(2).write(out);
        assertThat(out.toString(UTF_8))
                .isEqualTo("{\"task\":\"t\",\"offset\":0,\"end\":2,\"complete\":true,\"text\":\"a\\u001B\"}");
    }
}
