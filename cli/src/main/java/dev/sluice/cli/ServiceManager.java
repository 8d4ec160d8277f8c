package dev.sluice.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The service manager that started this program, if it is systemd: it is told when the server is ready and when it
 * stops. Java has no datagram sockets of the file system, so the program {@code systemd-notify}, which is part of
 * systemd, sends the messages; if it may (as root), in the name of its parent, this program.
 */
final class ServiceManager {

    /** Environment variable with the socket of the service manager. */
    private static final String SOCKET = "NOTIFY_SOCKET";

    private static final int TIMEOUT_SECONDS = 10;

    private final boolean isPresent;
    private final String program;
    private final Consumer<String> warnings;

    /**
     * Creates the manager of this process.
     *
     * @param program the program that sends messages
     */
    ServiceManager(Map<String, String> environment, String program, Consumer<String> warnings) {
        this.isPresent = !environment.getOrDefault(SOCKET, "").isEmpty();
        this.program = program;
        this.warnings = warnings;
    }

    /** Reports that the server accepts requests. */
    void ready(String status) {
        send("READY=1", "STATUS=" + status);
    }

    /** Reports that the server stops. */
    void stopping() {
        send("STOPPING=1", "STATUS=stopping");
    }

    private void send(String... assignments) {
        if (!isPresent) {
            return;
        }
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(List.of(assignments));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                warn("no end after " + TIMEOUT_SECONDS + " s");
            } else if (process.exitValue() != 0) {
                warn("exit code " + process.exitValue());
            }
        } catch (IOException e) {
            warn(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void warn(String why) {
        warnings.accept("warning: cannot notify the service manager (" + program + ": " + why
                + "): install systemd-notify, or use Type=exec in the unit");
    }
}
