package dev.sluice.server.notification;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.config.field.DurationText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Executes a command for each notification, with the content on its standard input. Its input and output are files, so
 * that neither a command that reads nothing nor a child process that stays can block the server.
 */
public final class CommandSender implements Sender {

    private static final int OUTPUT_BYTES_SHOWN = 200;

    private final List<String> command;
    private final Duration timeout;
    private final Function<String, Map<String, String>> variables;

    /**
     * Creates a sender.
     *
     * @param command the program and its arguments
     * @param timeout after which the command is killed
     * @param variables returns the environment variables of a content; they are added to those of this process
     */
    public CommandSender(List<String> command, Duration timeout, Function<String, Map<String, String>> variables) {
        this.command = List.copyOf(command);
        this.timeout = timeout;
        this.variables = variables;
    }

    @Override
    public void send(String id, String content) throws DeliveryException, InterruptedException {
        try {
            Path input = Files.createTempFile("sluice-notification", ".json");
            try {
                Path out = Files.createTempFile("sluice-notification", ".out");
                try {
                    Files.writeString(input, content, UTF_8);
                    execute(input, out, variables.apply(content));
                } finally {
                    Files.deleteIfExists(out);
                }
            } finally {
                Files.deleteIfExists(input);
            }
        } catch (IOException e) {
            throw new DeliveryException("cannot execute " + command.get(0) + ": " + e.getMessage());
        }
    }

    private void execute(Path input, Path output, Map<String, String> environment)
            throws IOException, DeliveryException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(input.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new DeliveryException("no end within " + DurationText.format(timeout) + ", killed");
            }
        } finally {
            kill(process);
        }
        if (process.exitValue() != 0) {
            throw new DeliveryException("exit code " + process.exitValue() + firstLine(output));
        }
    }

    private static void kill(Process process) {
        if (process.isAlive()) {
            List<ProcessHandle> descendants = process.descendants().toList();
            process.destroyForcibly();
            descendants.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private static String firstLine(Path output) throws IOException {
        try (InputStream in = Files.newInputStream(output)) {
            String text = new String(in.readNBytes(OUTPUT_BYTES_SHOWN), UTF_8);
            String line = text.strip().lines().findFirst().orElse("").replaceAll("\\p{Cntrl}", " ");
            return line.isEmpty() ? "" : ": " + line;
        }
    }
}
