package dev.sluice.runtime.local;

import dev.sluice.runtime.detached.DetachedRunner;
import dev.sluice.runtime.journal.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The processes of the program whose run is resumed. They end with that program, but not at once. */
final class FormerProcesses {

    private static final Duration MARGIN = Duration.ofSeconds(20);
    private static final long POLL_MILLIS = 50;

    private FormerProcesses() {}

    /**
     * Waits until all processes with this mark have ended.
     *
     * @param grace the time between SIGTERM and SIGKILL
     * @throws StoreException if some are still alive some time after the grace period
     */
    static void awaitEnd(String mark, Duration grace) throws StoreException {
        long end = System.nanoTime() + grace.plus(MARGIN).toNanos();
        List<Long> alive = DetachedRunner.pidsWithMark(mark);
        while (!alive.isEmpty()) {
            if (System.nanoTime() - end > 0) {
                throw new StoreException(
                        StoreException.Kind.IN_USE,
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
