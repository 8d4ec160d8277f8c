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
 * One small shell process per runner, in a session of its own, that does what the JVM cannot: it signals whole process groups,
 * and when the JVM is gone, however it went, it ends whatever the JVM had started.
 *
 * <p>The JVM holds the writing end of a pipe and says there which groups exist and which signals to send; see
 * {@code warden.sh}. The end of the pipe is the end of the JVM. A warden that was killed itself is replaced. For any thread.
 */
final class Warden implements GroupSignals {

    /** How much longer than the grace period a warden may take to end. */
    private static final Duration MARGIN = Duration.ofSeconds(5);

    private final SessionLauncher launcher;
    private final Duration grace;
    private final String mark;
    private final SortedSet<Long> groups = new TreeSet<>();

    private @Nullable Process process;
    private boolean closed;

    Warden(SessionLauncher launcher, Duration grace, String mark) {
        this.launcher = launcher;
        this.grace = grace;
        this.mark = mark;
    }

    /** Starts it, unless it runs; throws {@link IllegalStateException} when there is no way to. */
    synchronized void start() {
        if (process == null && !closed) {
            try {
                process = startProcess();
            } catch (IOException e) {
                throw new IllegalStateException("tasks cannot be run: /bin/sh does not start: " + e.getMessage(), e);
            }
        }
    }

    private Process startProcess() throws IOException {
        long seconds = Math.max(0, grace.plusMillis(999).toSeconds());
        List<String> command = List.of("/bin/sh", "-c", script(), "sluice-warden", Long.toString(seconds), mark);
        ProcessBuilder builder =
                launcher.prepare(command, Map.of(), new File("/")).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        // A runner may itself be a task of another one; the mark of that one is not for its warden, which must outlive
        // it.
        builder.environment().remove(SessionLauncher.MARK_VARIABLE);
        return builder.start();
    }

    private static String script() throws IOException {
        try (InputStream in = Warden.class.getResourceAsStream("warden.sh")) {
            if (in == null) {
                throw new IOException("the program is incomplete: warden.sh is missing");
            }
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    /** This group is to be ended when the JVM is gone. */
    synchronized void watch(long group) {
        groups.add(group);
        tell("+ " + group + "\n");
    }

    @Override
    public synchronized void forget(long group) {
        if (groups.remove(group)) {
            tell("- " + group + "\n");
        }
    }

    @Override
    public synchronized void terminate(Iterable<Long> targets) {
        StringBuilder lines = new StringBuilder();
        for (long group : targets) {
            lines.append("TERM ").append(group).append("\nCONT ").append(group).append('\n');
        }
        tell(lines.toString());
    }

    @Override
    public synchronized void kill(Iterable<Long> targets) {
        StringBuilder lines = new StringBuilder();
        for (long group : targets) {
            lines.append("KILL ").append(group).append('\n');
        }
        tell(lines.toString());
    }

    private void tell(String lines) {
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
        StringBuilder everything = new StringBuilder();
        for (long group : groups) {
            everything.append("+ ").append(group).append('\n');
        }
        try {
            Process successor = startProcess();
            process = successor;
            write(successor, everything.append(lines).toString());
        } catch (IOException e) {
            // Tried again with the next line; until then the leaders can still be signalled, each by itself.
            return;
        }
    }

    private static void write(Process warden, String lines) throws IOException {
        OutputStream out = warden.getOutputStream();
        out.write(lines.getBytes(US_ASCII));
        out.flush();
    }

    /** Lets it end what is left and waits for that; true if it is over. Where nothing is left this takes some milliseconds. */
    boolean close() {
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
