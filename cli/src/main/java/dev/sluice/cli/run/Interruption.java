package dev.sluice.cli.run;

import dev.sluice.runtime.local.LocalRun;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jline.utils.Signals;

/**
 * Lets a run end in order when the program is told to end: everything it started is stopped, the result is still shown, and the
 * JVM answers with 128 plus the signal. A second Ctrl-C ends the program at once; what it started is then stopped without it.
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

    /** Watches for the end of the program until this is closed; waits so long for the run to end. */
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

    /** The result was shown; the program may end. */
    @Override
    public void close() {
        shown.countDown();
    }
}
