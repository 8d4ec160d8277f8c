package dev.sluice.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.cli.PackagedProgram;
import dev.sluice.runtime.file.UserFolders;
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

/** A process of the packaged {@code sluice serve}. */
public final class ServerProcess implements AutoCloseable {

    private static final Pattern LISTENING = Pattern.compile("listening on http://127\\.0\\.0\\.1:(\\d+)");

    private static final Pattern STANDBY = Pattern.compile("on standby, port (\\d+)");

    /** A JVM option without effect on the server. */
    private static final String SECURE = "-Dsluice.test.secure=true";

    private final Process process;
    private final Path err;

    private ServerProcess(Process process, Path err) {
        this.process = process;
        this.err = err;
    }

    /** Starts a server with a data folder on any port; its output goes to a file beside the directory. */
    static ServerProcess begin(Path data, String... arguments) throws IOException {
        return begin(data, List.of(), arguments);
    }

    /**
     * Starts a server with additional JVM options.
     *
     * @param options JVM options after those of the script
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
        List<String> given = Arrays.asList(arguments);
        if (!options.contains(SECURE)) {
            command.add("--insecure");
            if (UserFolders.isRoot() && !wrapper.contains("setpriv") && !given.contains("--no-node")) {
                command.add("--allow-root");
            }
        }
        if (Stream.of(arguments).noneMatch(argument -> argument.startsWith("--data="))) {
            command.addAll(List.of("--data", data.toString()));
        }
        if (!given.contains("--port")) {
            command.addAll(List.of("--port", "0"));
        }
        command.addAll(given);
        Path folder = data.toAbsolutePath().getParent();
        Path err = Files.createTempFile(folder, "serve-", ".err");
        ProcessBuilder builder = PackagedProgram.process(options, command.toArray(String[]::new));
        builder.command().addAll(0, wrapper);
        Process process = builder.redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(err.toFile())
                .start();
        return new ServerProcess(process, err);
    }

    /**
     * Starts a server that requires credentials over TCP, and waits until it is ready. Tasks run as the user of the
     * tests, also if that is root.
     */
    public static ServerProcess startSecure(Path data, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(arguments));
        if (UserFolders.isRoot() && !all.contains("--no-node")) {
            all.addAll(List.of("--shared-account", "--allow-root"));
        }
        ServerProcess server = begin(data, List.of(SECURE), all.toArray(String[]::new));
        server.awaitReady();
        return server;
    }

    /** Starts a server that anyone can use over TCP, and waits until it is ready. */
    public static ServerProcess start(Path data, String... arguments) throws IOException {
        ServerProcess server = begin(data, arguments);
        server.awaitReady();
        return server;
    }

    /** Waits until the server listens; returns its port. */
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

    public int port() {
        Matcher matcher = LISTENING.matcher(err());
        if (!matcher.find()) {
            throw new IllegalStateException("it does not listen: " + err());
        }
        return Integer.parseInt(matcher.group(1));
    }

    /** Returns the port on which it answers while another server is active. */
    int standbyPort() {
        Matcher matcher = STANDBY.matcher(err());
        if (!matcher.find()) {
            throw new IllegalStateException("it is not on standby: " + err());
        }
        return Integer.parseInt(matcher.group(1));
    }

    /** Returns the output to standard error. */
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

    /** Kills the process and waits for its end. */
    void kill() {
        process.destroyForcibly();
        exitCode();
    }

    /** Sends SIGTERM. */
    void terminate() {
        process.destroy();
    }

    /** Waits for the exit code. */
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
