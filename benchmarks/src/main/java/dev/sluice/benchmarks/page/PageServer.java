package dev.sluice.benchmarks.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.runtime.journal.ReplayListener;
import dev.sluice.server.Daemon;
import dev.sluice.server.DaemonSettings;
import dev.sluice.server.access.AccessSettings;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.InstantSource;

/**
 * The measured process: a server without authentication. Prints its port, then the processor time of the scheduler's
 * thread and of the process in nanoseconds for each line of its standard input; ends when that is closed.
 */
public final class PageServer {

    private PageServer() {}

    /** Starts the server; the argument is the data directory. */
    public static void main(String[] args) throws Exception {
        DaemonSettings settings = DaemonSettings.in(Path.of(args[0])).withAccess(new AccessSettings(true, null));
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        try (Daemon daemon = Daemon.start(settings, InstantSource.system(), ReplayListener.NONE)) {
            daemon.warmUp();
            System.out.println(daemon.port());
            while (lines.readLine() != null) {
                System.out.println(schedulerNanos() + " " + processNanos());
            }
        }
    }

    private static long schedulerNanos() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        for (long id : threads.getAllThreadIds()) {
            var thread = threads.getThreadInfo(id);
            if (thread != null && thread.getThreadName().equals("scheduler")) {
                return threads.getThreadCpuTime(id);
            }
        }
        throw new IllegalStateException("there is no thread named scheduler");
    }

    private static long processNanos() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
    }
}
