package dev.sluice.runtime.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Sends each batch of signals with a shell process. This takes some milliseconds, and no process remains afterwards.
 */
public final class ShellSignals implements GroupSignals {

    /** The maximum duration of a shell that sends signals. */
    private static final int SECONDS_MAX = 10;

    @Override
    public void terminate(Iterable<Long> groups) {
        send("for group; do kill -s TERM -- \"-$group\"; kill -s CONT -- \"-$group\"; done", groups);
    }

    @Override
    public void signal(String name, Iterable<Long> groups) {
        send("for group; do kill -s " + name + " -- \"-$group\"; done", groups);
    }

    /** Sends the signal with this name to these processes alone. */
    public static void signalProcesses(String name, Iterable<Long> pids) {
        send("for pid; do kill -s " + name + " -- \"$pid\"; done", pids);
    }

    @Override
    public void forget(long session) {}

    private static void send(String script, Iterable<Long> groups) {
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", script, "sluice-signal"));
        groups.forEach(group -> command.add(Long.toString(group)));
        try {
            Process shell = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            shell.getOutputStream().close();
            if (!shell.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
                shell.destroyForcibly();
            }
        } catch (IOException e) {
            // No process can be started; a caller that terminates polls again and then sends SIGKILL.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
