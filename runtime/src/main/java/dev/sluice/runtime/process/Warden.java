package dev.sluice.runtime.process;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A small shell process per runner, in its own session, that does what the JVM cannot: it signals process groups, and
 * when the JVM has ended, even by a crash, it terminates all processes that the JVM started.
 *
 * <p>The JVM writes the existing groups and the signals to send into a pipe; see {@code warden.sh}. When the JVM ends,
 * the pipe is closed. A warden that was killed is replaced. Thread-safe.
 */
public final class Warden implements GroupSignals {

    /** How much longer than the grace period a warden may take to end. */
    private static final Duration MARGIN = Duration.ofSeconds(5);

    private final SessionLauncher launcher;
    private final Duration grace;
    private final String mark;
    private final SortedSet<Long> groups = new TreeSet<>();

    private @Nullable Process process;
    private boolean closed;

    /**
     * Creates a warden, which is not started yet.
     *
     * @param launcher creates its session
     * @param grace the time between SIGTERM and SIGKILL
     * @param mark the prefix of {@code SLUICE_RUN} in the environment of the processes to terminate
     */
    public Warden(SessionLauncher launcher, Duration grace, String mark) {
        this.launcher = launcher;
        this.grace = grace;
        this.mark = mark;
    }

    /**
     * Starts the shell unless it is running.
     *
     * @throws IllegalStateException if it cannot be started
     */
    public synchronized void start() {
        if (process == null && !closed) {
            try {
                process = startProcess();
            } catch (IOException e) {
                throw new IllegalStateException("cannot run tasks: /bin/sh does not start: " + e.getMessage(), e);
            }
        }
    }

    private Process startProcess() throws IOException {
        long seconds = Math.max(0, grace.plusMillis(999).toSeconds());
        List<String> command = List.of("/bin/sh", "-c", script(), "sluice-warden", Long.toString(seconds), mark);
        ProcessBuilder builder =
                launcher.prepare(command, Map.of(), new File("/")).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        // A runner may itself be a task of another runner; its warden must not carry that runner's mark, because it
        // must outlive the task.
        builder.environment().remove(SessionLauncher.MARK_VARIABLE);
        return builder.start();
    }

    private static String script() throws IOException {
        try (InputStream in = Warden.class.getResourceAsStream("warden.sh")) {
            if (in == null) {
                throw new IOException("incomplete installation: resource warden.sh not found");
            }
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    /** Registers a group to be terminated when the JVM ends. */
    public synchronized void watch(long group) {
        groups.add(group);
        send("+ " + group + "\n");
    }

    @Override
    public synchronized void forget(long group) {
        if (groups.remove(group)) {
            send("- " + group + "\n");
        }
    }

    @Override
    public synchronized void terminate(Iterable<Long> targets) {
        StringBuilder lines = new StringBuilder();
        for (long group : targets) {
            lines.append("TERM ").append(group).append("\nCONT ").append(group).append('\n');
        }
        send(lines.toString());
    }

    @Override
    public synchronized void signal(String name, Iterable<Long> targets) {
        StringBuilder lines = new StringBuilder();
        for (long group : targets) {
            lines.append(name).append(' ').append(group).append('\n');
        }
        send(lines.toString());
    }

    private void send(String lines) {
        if (closed || process == null) {
            return;
        }
        try {
            write(process, lines);
        } catch (IOException gone) {
            replace(lines);
        }
    }

    private void replace(String lines) {
        StringBuilder allLines = new StringBuilder();
        for (long group : groups) {
            allLines.append("+ ").append(group).append('\n');
        }
        try {
            Process successor = startProcess();
            process = successor;
            write(successor, allLines.append(lines).toString());
        } catch (IOException e) {
            // Retried with the next line; until then the leaders can still be signalled individually.
            return;
        }
    }

    private static void write(Process warden, String lines) throws IOException {
        OutputStream out = warden.getOutputStream();
        out.write(lines.getBytes(US_ASCII));
        out.flush();
    }

    /**
     * Lets the shell terminate the remaining processes and waits for it; returns whether it has ended. Takes some
     * milliseconds if none remain.
     */
    public boolean close() {
        Process last;
        synchronized (this) {
            closed = true;
            last = process;
        }
        if (last == null) {
            return true;
        }
        try {
            last.getOutputStream().close();
        } catch (IOException alreadyGone) {
            return true;
        }
        try {
            return last.waitFor(grace.plus(MARGIN).toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
