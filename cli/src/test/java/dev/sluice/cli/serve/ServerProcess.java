package dev.sluice.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.cli.PackagedProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** {@code sluice serve} of the packaged program, as a process of its own. */
public final class ServerProcess implements AutoCloseable {

    private static final Pattern LISTENING = Pattern.compile("listening on http://127\\.0\\.0\\.1:(\\d+)");

    private final Process process;
    private final Path err;

    private ServerProcess(Process process, Path err) {
        this.process = process;
        this.err = err;
    }

    /** Begins with this folder for its data, on any port; what it writes goes to a file beside the folder. */
    static ServerProcess begin(Path data, String... arguments) throws IOException {
        return begin(data, List.of(), arguments);
    }

    /**
     * The same with options for the JVM.
     *
     * @param options come after those that servers have anyway
     */
    static ServerProcess begin(Path data, List<String> options, String... arguments) throws IOException {
        return begin(data, List.of(), options, arguments);
    }

    /**
     * The same by another program, which becomes the server.
     *
     * @param wrapper its command line, before that of the server; may be empty
     */
    static ServerProcess begin(Path data, List<String> wrapper, List<String> options, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of("serve"));
        if (Stream.of(arguments).noneMatch(argument -> argument.startsWith("--data="))) {
            command.addAll(List.of("--data", data.toString()));
        }
        if (!Arrays.asList(arguments).contains("--port")) {
            command.addAll(List.of("--port", "0"));
        }
        command.addAll(Arrays.asList(arguments));
        Path folder = data.toAbsolutePath().getParent();
        Path err = Files.createTempFile(folder, "serve-", ".err");
        ProcessBuilder builder = PackagedProgram.process(options, command.toArray(String[]::new));
        builder.command().addAll(0, wrapper);
        Process process = builder.redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(err.toFile())
                .start();
        return new ServerProcess(process, err);
    }

    /** The same, and waits until it is ready. */
    public static ServerProcess start(Path data, String... arguments) throws IOException {
        ServerProcess server = begin(data, arguments);
        server.awaitReady();
        return server;
    }

    /** Waits until it listens; its port. */
    int awaitReady() {
        Awaitility.await("the server is ready")
                .atMost(90, TimeUnit.SECONDS)
                .pollInterval(20, TimeUnit.MILLISECONDS)
                .until(() -> isListening() || !process.isAlive());
        if (!isListening()) {
            throw new AssertionError("it ended with " + process.exitValue() + ": " + err());
        }
        return port();
    }

    private boolean isListening() {
        return LISTENING.matcher(err()).find();
    }

    /** The port it listens on. */
    public int port() {
        Matcher matcher = LISTENING.matcher(err());
        if (!matcher.find()) {
            throw new IllegalStateException("it does not listen: " + err());
        }
        return Integer.parseInt(matcher.group(1));
    }

    /** All that it has written to standard error. */
    String err() {
        try {
            return new String(Files.readAllBytes(err), UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Ends it as a crash does, with no time for anything, and waits until it is gone. */
    void kill() {
        process.destroyForcibly();
        exitCode();
    }

    /** Asks it to end, as an operating system that is shut down does. */
    void terminate() {
        process.destroy();
    }

    /** Its exit code, once it has ended. */
    int exitCode() {
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                throw new AssertionError("it does not end: " + err());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        kill();
    }
}
