package dev.sluice.cli.run;

import dev.sluice.runtime.local.LocalRun;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jline.utils.Signals;

/**
 * Handles termination signals during a run: stops all tasks, prints the result, and exits with 128 plus the signal. A
 * second Ctrl-C halts the JVM at once; the warden then stops the tasks.
 */
public final class Interruption implements AutoCloseable {

    private final LocalRun run;
    private final ProgressView view;
    private final Duration gracePeriod;
    private final CountDownLatch shown = new CountDownLatch(1);
    private final Thread hook = new Thread(this::end, "interruption");

    private Interruption(LocalRun run, ProgressView view, Duration gracePeriod) {
        this.run = run;
        this.view = view;
        this.gracePeriod = gracePeriod;
    }

    /** Installs a shutdown hook that waits up to {@code gracePeriod} for the run to end; close removes it. */
    public static Interruption of(LocalRun run, ProgressView view, Duration gracePeriod) {
        Interruption interruption = new Interruption(run, view, gracePeriod);
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    private void end() {
        if (shown.getCount() == 0) {
            return;
        }
        Signals.register("INT", () -> Runtime.getRuntime().halt(128 + 2));
        view.interrupted();
        run.interrupt();
        try {
            boolean done = shown.await(gracePeriod.toMillis(), TimeUnit.MILLISECONDS);
            if (!done) {
                Runtime.getRuntime().halt(128 + 2);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Allows the JVM to exit after the result is printed. */
    @Override
    public void close() {
        shown.countDown();
    }
}
