package dev.sluice.runtime.local;

import dev.sluice.runtime.detached.DetachedRunner;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The processes of the program whose run is resumed. They end with that program, but not at once. */
final class FormerProcesses {

    private static final Duration MARGIN = Duration.ofSeconds(20);
    private static final long POLL_MILLIS = 50;

    private FormerProcesses() {}

    /**
     * Waits until all processes with this mark have ended.
     *
     * @param mark the mark; null: there are none
     * @param grace the time between SIGTERM and SIGKILL
     * @throws IllegalStateException if some are still alive some time after the grace period
     */
    static void awaitEnd(@Nullable String mark, Duration grace) {
        if (mark == null) {
            return;
        }
        long end = System.nanoTime() + grace.plus(MARGIN).toNanos();
        List<Long> alive = DetachedRunner.pidsWithMark(mark);
        while (!alive.isEmpty()) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException(
                        "processes of the earlier program are still running: " + alive + "; end them, then resume");
            }
            try {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            alive = DetachedRunner.pidsWithMark(mark);
        }
    }
}
