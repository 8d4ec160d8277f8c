package dev.sluice.server.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A Java program in a separate process, killed on close. */
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
                        "-D" + LOG + "="
                                + System.getProperty(LOG, ""), // otherwise it would log to the stream read here
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

    /** Returns the next line of output, or null at its end. */
    @Nullable String nextLine() throws IOException {
        return lines.readLine();
    }

    /** Kills the process with SIGKILL. */
    void kill() {
        process.toHandle().destroyForcibly();
    }

    @Override
    public void close() {
        kill();
        process.onExit().join();
    }
}
