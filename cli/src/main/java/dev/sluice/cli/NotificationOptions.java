package dev.sluice.cli;

import dev.sluice.cli.run.RunNotification;
import dev.sluice.config.notification.WebhookAddress;
import dev.sluice.runtime.local.RunResult;
import dev.sluice.server.notification.DeliveryException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options of what is notified of the end of a run. */
final class NotificationOptions {

    @Option(
            names = "--notify-url",
            paramLabel = "URL",
            converter = UrlConverter.class,
            description = "Web address to which a summary is posted as JSON when the run has ended.")
    private @Nullable URI url;

    @Option(
            names = "--notify-command",
            paramLabel = "CMD",
            description = "Shell command to execute when the run has ended, with the summary on standard input, and"
                    + " SLUICE_STATE: completed, failed or interrupted.")
    private @Nullable String command;

    /** Returns the name of an option that was given, or null. */
    @Nullable String given() {
        return url != null ? "--notify-url" : command != null ? "--notify-command" : null;
    }

    /** Notifies of the result of a run; a failure is a warning, because the run has ended. */
    void send(RunResult result, Path logs, CommandSpec spec) {
        RunNotification notification = new RunNotification(result, logs);
        PrintWriter err = spec.commandLine().getErr();
        if (url != null) {
            URI address = url;
            warn("--notify-url", err, () -> notification.post(address));
        }
        if (command != null) {
            String line = command;
            warn("--notify-command", err, () -> notification.execute(line));
        }
    }

    private interface Delivery {
        void run() throws DeliveryException, InterruptedException;
    }

    private static void warn(String option, PrintWriter err, Delivery delivery) {
        try {
            delivery.run();
        } catch (DeliveryException e) {
            err.println("warning: " + option + " failed: " + e.getMessage());
            err.flush();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Parses web addresses. */
    static final class UrlConverter implements ITypeConverter<URI> {
        @Override
        public URI convert(String text) {
            URI address = WebhookAddress.parse(text);
            if (address == null) {
                throw new TypeConversionException(
                        "'" + text + "' is not an http or https address without user information");
            }
            return address;
        }
    }
}
