package dev.sluice.cli.run;

import dev.sluice.cli.terminal.Style;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.core.application.RunRef;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.runtime.host.Projection;
import dev.sluice.runtime.journal.JournalEntry;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Copies the output of tasks from their logs to a stream, in a thread of its own: a slow reader delays neither the
 * scheduler nor the tasks. When the stream is closed, nothing more is shown, and the run continues.
 */
public final class TaskOutput implements Projection, AutoCloseable {

    private static final long POLL_MILLIS = 100;

    /** Maximum number of pieces copied of one log before the next log's turn. */
    private static final int PIECES_MAX = 16;

    private final TaskOutputMode mode;
    private final OutputStream out;
    private final Style style;
    private final RunLogs logs;
    private final Runnable onClosedStream;
    private final BlockingQueue<LogCopier> ended = new LinkedBlockingQueue<>();
    private final Thread thread = new Thread(this::copyUntilClosed, "task-output");

    /** Guarded by this. */
    private final Map<RunRef, LogCopier> running = new LinkedHashMap<>();

    private volatile boolean isOn;
    private volatile boolean isClosed;
    private int tasks;

    /**
     * Creates the output of a run; events before {@link #start} are those of an earlier program.
     *
     * @param logs know the events before this projection receives them
     * @param onClosedStream called once if the stream cannot be written
     */
    public TaskOutput(TaskOutputMode mode, OutputStream out, Style style, RunLogs logs, Runnable onClosedStream) {
        this.mode = mode;
        this.out = new BufferedOutputStream(out, LogCopier.LINE_BYTES_MAX);
        this.style = style;
        this.logs = logs;
        this.onClosedStream = onClosedStream;
        thread.setDaemon(true);
    }

    /** Shows the output of all runs that are placed from now on. */
    public void start() {
        begin();
        if (isOn) {
            thread.start();
        }
    }

    void begin() {
        isOn = mode != TaskOutputMode.NONE;
    }

    @Override
    public void committed(long first, List<JournalEntry> entries) {
        if (!isOn) {
            return;
        }
        for (JournalEntry entry : entries) {
            for (Event event : entry.events()) {
                if (event instanceof TaskEvent.Placed placed) {
                    // its process starts after the projections
                    LogCopier copier = new LogCopier(logs.file(placed.task()), prefix(placed));
                    synchronized (this) {
                        running.put(placed.allocation().run(), copier);
                    }
                } else if (event instanceof TaskEvent.Ended end) {
                    LogCopier copier;
                    synchronized (this) {
                        copier = running.remove(end.allocation().run());
                    }
                    if (copier != null) {
                        ended.add(copier);
                    }
                }
            }
        }
    }

    private String prefix(TaskEvent.Placed placed) {
        return mode == TaskOutputMode.GROUP
                ? ""
                : style.colored(
                                tasks++,
                                TextWidth.printable(placed.application() + "/"
                                                + placed.task().id()) + " |") + " ";
    }

    private void copyUntilClosed() {
        try {
            while (isOn && !isClosed) {
                copy(ended.poll(POLL_MILLIS, TimeUnit.MILLISECONDS));
            }
        } catch (InterruptedException e) {
            isOn = false;
        }
    }

    /** Copies what runs have written since the last time: this run and all others. */
    void copy(@Nullable LogCopier first) {
        if (!isOn) {
            return;
        }
        try {
            for (LogCopier copier = first == null ? ended.poll() : first; copier != null; copier = ended.poll()) {
                copier.copyRest(out);
            }
            if (mode == TaskOutputMode.PREFIX) {
                for (LogCopier copier : runningCopiers()) {
                    copier.copyNew(out, PIECES_MAX);
                }
            }
            out.flush();
        } catch (IOException e) {
            isOn = false;
            ended.clear();
            onClosedStream.run();
        }
    }

    private synchronized List<LogCopier> runningCopiers() {
        return List.copyOf(running.values());
    }

    /** Copies all that is left. */
    @Override
    public void close() {
        isClosed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        ended.addAll(runningCopiers());
        copy(null);
    }
}
