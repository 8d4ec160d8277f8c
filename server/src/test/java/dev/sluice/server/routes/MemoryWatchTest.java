package dev.sluice.server.routes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import org.junit.jupiter.api.Test;

/** Whether there is memory for more work. */
final class MemoryWatchTest {

    @Test
    void room_whileThereIsSome_isThere() {
        assertThatCode(() -> new MemoryWatch(() -> 0).requireRoom()).doesNotThrowAnyException();
        assertThatCode(() -> new MemoryWatch(() -> MemoryWatch.SHARE_MAX).requireRoom())
                .doesNotThrowAnyException();
        assertThatCode(() -> new MemoryWatch().requireRoom()).doesNotThrowAnyException();
    }

    @Test
    void room_whenThereIsNone_isRefusedWithTheCure() {
        ProblemException refusal =
                catchThrowableOfType(ProblemException.class, () -> new MemoryWatch(() -> 0.618).requireRoom());

        assertThat(refusal.kind()).isEqualTo(ProblemKind.BUSY);
        assertThat(refusal.retryAfter()).isNotNull();
        assertThat(refusal)
                .hasMessageContaining("62 %")
                .hasMessageContaining("cancel")
                .hasMessageContaining("-Xmx");
    }
}
