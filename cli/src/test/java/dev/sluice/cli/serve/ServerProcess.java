package dev.sluice.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** {@code sluice serve} as a process of its own, as users have it. */
final class ServerProcess implements AutoCloseable {

    private static final Pattern LISTENING = Pattern.compile("listening on http://127\\.0\\.0\\.1:(\\d+)");

    private static final Pattern USUAL_OPTIONS = Pattern.compile("serve\\) options='([^']+)'");

    /** A command that hears all signals: whoever runs the tests in the background has some ignored, and a JVM leaves them so. */
    private static final String WITH_SIGNALS =
            "all='env --default-signal=HUP,INT,TERM'; $all true 2>/dev/null || all=; exec $all \"$@\"";

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
     * @param options come before the program; one that names a collector goes instead of the one that starts soonest
     */
    static ServerProcess begin(Path data, List<String> options, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", WITH_SIGNALS, "sh"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:TieredStopAtLevel=1");
        if (options.stream().noneMatch(option -> option.startsWith("-XX:+Use"))) {
            command.add("-XX:+UseSerialGC");
        }
        command.addAll(options);
        command.addAll(List.of("-cp", classPath(), "dev.sluice.cli.Sluice", "serve"));
        if (Stream.of(arguments).noneMatch(argument -> argument.startsWith("--data="))) {
            command.addAll(List.of("--data", data.toString()));
        }
        if (!Arrays.asList(arguments).contains("--port")) {
            command.addAll(List.of("--port", "0"));
        }
        command.addAll(Arrays.asList(arguments));
        Path folder = data.toAbsolutePath().getParent();
        Path err = Files.createTempFile(folder, "serve-", ".err");
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(err.toFile())
                .start();
        return new ServerProcess(process, err);
    }

    /** The options that {@code ./sluice serve} gives the JVM. */
    static List<String> usualOptions() throws IOException {
        Matcher options = USUAL_OPTIONS.matcher(Files.readString(Path.of("..", "sluice")));
        if (!options.find()) {
            throw new IllegalStateException("the script has no options for serve");
        }
        return List.of(options.group(1).split(" "));
    }

    /** The program logs to standard error, which tests of other commands do not want. */
    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(":"))
                .filter(part -> !part.contains("slf4j-nop"))
                .collect(Collectors.joining(":"));
    }

    /** The same, and waits until it is ready. */
    static ServerProcess start(Path data, String... arguments) throws IOException {
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

    int port() {
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
