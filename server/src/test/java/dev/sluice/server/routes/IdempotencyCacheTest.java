package dev.sluice.server.routes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.server.TestTransactionContext;
import dev.sluice.server.http.Json;
import dev.sluice.server.route.ApiResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Limits of number and age of idempotency records. */
final class IdempotencyCacheTest {

    private static final Duration AGE = Duration.ofHours(1);

    private final TestTransactionContext context = new TestTransactionContext();
    private final IdempotencyCache receipts = new IdempotencyCache(List.of(), 3, AGE, Json.mapper());
    private int done;

    /** Executes a request with this key; returns the number of executions so far. */
    private int ask(String key) {
        ApiResponse unused =
                receipts.executeOnce(new IdempotencyCache.IdempotencyKey(key, key, "print"), context, at -> {
                    done++;
                    return ApiResponse.ok(Map.of("done", done));
                });
        return done;
    }

    @Test
    void records_beyondMaximum_dropOldest() {
        assertThat(List.of(ask("a"), ask("b"), ask("c"))).containsExactly(1, 2, 3);
        assertThat(List.of(ask("a"), ask("b"), ask("c"))).as("all known").containsOnly(3);
        assertThat(ask("d")).isEqualTo(4);
        assertThat(List.of(ask("b"), ask("c"), ask("d"))).as("the newest").containsOnly(4);
        assertThat(ask("a")).as("forgotten").isEqualTo(5);
        assertThat(context.kept()).hasSize(5);
    }

    @Test
    void record_tooOld_isDropped() {
        assertThat(ask("a")).isEqualTo(1);
        context.setNow(context.now().plus(AGE));
        assertThat(ask("a")).isEqualTo(1);
        context.setNow(context.now().plusNanos(1));
        assertThat(ask("a")).isEqualTo(2);
    }
}
