package dev.sluice.cli.run;

import dev.sluice.cli.json.JsonOutput;
import dev.sluice.runtime.local.ApplicationResult;
import dev.sluice.runtime.local.RunResult;
import dev.sluice.server.notification.CommandSender;
import dev.sluice.server.notification.DeliveryException;
import dev.sluice.server.notification.Sender;
import dev.sluice.server.notification.WebhookSender;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import tools.jackson.core.JsonGenerator;

/** The notification of the end of a run: a summary, without the results of single tasks. */
public final class RunNotification {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int ATTEMPTS = 3;

    private final String id = UUID.randomUUID().toString();
    private final RunResult result;
    private final Path logs;

    /** Creates the notification of a run with this log folder. */
    public RunNotification(RunResult result, Path logs) {
        this.result = result;
        this.logs = logs;
    }

    private String state() {
        return result.interrupted() ? "interrupted" : result.isSuccess() ? "completed" : "failed";
    }

    /** Posts the summary to an address. */
    public void post(URI url) throws DeliveryException, InterruptedException {
        send(WebhookSender.to(url, TIMEOUT));
    }

    /** Executes a command line with the summary on its standard input. */
    public void execute(String line) throws DeliveryException, InterruptedException {
        send(new CommandSender(List.of("/bin/sh", "-c", line), TIMEOUT, content -> variables()));
    }

    /** Tries up to three times, one and two seconds later. */
    private void send(Sender sender) throws DeliveryException, InterruptedException {
        String content = json();
        for (int attempt = 1; ; attempt++) {
            try {
                sender.send(id, content);
                return;
            } catch (DeliveryException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
                Thread.sleep(Duration.ofSeconds(attempt).toMillis());
            }
        }
    }

    private Map<String, String> variables() {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("SLUICE_NOTIFICATION", "run-ended");
        variables.put("SLUICE_NOTIFICATION_ID", id);
        variables.put("SLUICE_STATE", state());
        variables.put("SLUICE_LOGS", logs.toString());
        return variables;
    }

    private String json() {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JsonOutput.to(text)) {
            json.writeStartObject();
            json.writeStringProperty("id", id);
            json.writeStringProperty("notification", "run-ended");
            json.writeStringProperty("state", state());
            json.writeStringProperty("logs", logs.toString());
            json.writeArrayPropertyStart("applications");
            result.applications().forEach(application -> write(json, application));
            json.writeEndArray();
            json.writeEndObject();
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, ApplicationResult application) {
        json.writeStartObject();
        json.writeStringProperty("application", application.application());
        json.writeStringProperty("queue", application.queue());
        json.writeStringProperty("state", application.state().wireName());
        json.writeStringProperty("reason", application.reason());
        json.writeNumberProperty("tasks", application.tasks());
        json.writeNumberProperty("succeeded", application.succeeded());
        json.writeNumberProperty("failed", application.failed());
        json.writeNumberProperty("stopped", application.stopped());
        json.writeEndObject();
    }
}
