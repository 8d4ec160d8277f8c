package dev.sluice.server.routes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.time.Duration;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

final class OverloadGuardTest {

    @Test
    void work_withFreeMemory_isAccepted() {
        assertThatCode(() -> watch(() -> 0).rejectIfOverloaded()).doesNotThrowAnyException();
        assertThatCode(() -> watch(() -> OverloadGuard.USED_FRACTION_MAX).rejectIfOverloaded())
                .doesNotThrowAnyException();
        assertThatCode(() -> new OverloadGuard(() -> null).rejectIfOverloaded()).doesNotThrowAnyException();
    }

    @Test
    void work_onFullDisk_isRefusedWithReason() {
        OverloadGuard watch = new OverloadGuard(() -> 0, () -> "the disk is full", () -> {}, Runnable::run, () -> 0);

        ProblemException refusal = catchThrowableOfType(ProblemException.class, watch::rejectIfOverloaded);

        assertThat(refusal.kind()).isEqualTo(ProblemKind.BUSY);
        assertThat(refusal).hasMessageContaining("the disk is full");
        assertThat(watch.refusal()).isEqualTo("the disk is full");
    }

    @Test
    void work_withoutFreeMemory_isRefusedWithRemedy() {
        ProblemException refusal = catchThrowableOfType(
                ProblemException.class, () -> watch(() -> 0.618).rejectIfOverloaded());

        assertThat(refusal.kind()).isEqualTo(ProblemKind.BUSY);
        assertThat(refusal.retryAfter()).isNotNull();
        assertThat(refusal)
                .hasMessageContaining("62 %")
                .hasMessageContaining("cancel")
                .hasMessageContaining("-Xmx");
    }

    @Test
    void work_afterCollection_isAcceptedAgain() {
        // nothing else triggers a collection: a server that refuses all work allocates nothing
        double[] share = {0.9};
        OverloadGuard watch =
                new OverloadGuard(() -> share[0], () -> null, () -> share[0] = 0.1, Runnable::run, () -> 0);

        assertThatThrownBy(watch::rejectIfOverloaded).isInstanceOf(ProblemException.class);

        assertThatCode(watch::rejectIfOverloaded).doesNotThrowAnyException();
        assertThat(watch.problem()).isNull();
    }

    @Test
    void collections_freeingNothing_takeLittleTime() {
        long[] now = {0};
        int[] collections = {0};
        Runnable collection = () -> {
            collections[0]++;
            now[0] += Duration.ofSeconds(1).toNanos();
        };
        OverloadGuard watch = new OverloadGuard(() -> 0.9, () -> null, collection, Runnable::run, () -> now[0]);

        while (now[0] < Duration.ofMinutes(10).toNanos()) {
            assertThat(watch.problem()).contains("90 %");
            now[0] += Duration.ofMillis(100).toNanos();
        }

        assertThat(collections[0]).as("of a second each, in ten minutes").isBetween(10, 13);
    }

    private static OverloadGuard watch(DoubleSupplier share) {
        return new OverloadGuard(share, () -> null, () -> {}, Runnable::run, () -> 0);
    }
}
