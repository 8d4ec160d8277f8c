package dev.sluice.server.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A Java program in a process of its own, which is killed when this is closed. */
final class ChildProcess implements AutoCloseable {

    private static final String LOG = "logback.configurationFile";

    private final Process process;
    private final BufferedReader lines;

    private ChildProcess(Process process) {
        this.process = process;
        lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    }

    static ChildProcess start(Class<?> program, String argument) throws IOException {
        return new ChildProcess(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-D" + LOG + "=" + System.getProperty(LOG, ""), // else it logs to where its lines are read
                        "-cp",
                        System.getProperty("java.class.path"),
                        program.getName(),
                        argument)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    long pid() {
        return process.pid();
    }

    /** The next line that it prints, or null if it has ended. */
    @Nullable String nextLine() throws IOException {
        return lines.readLine();
    }

    /** Kills it as {@code kill -9} does. */
    void kill() {
        process.toHandle().destroyForcibly();
    }

    @Override
    public void close() {
        kill();
        process.onExit().join();
    }
}
