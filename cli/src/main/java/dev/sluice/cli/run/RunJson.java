package dev.sluice.cli.run;

import dev.sluice.cli.json.JsonOutput;
import dev.sluice.runtime.local.ApplicationResult;
import dev.sluice.runtime.local.RunResult;
import dev.sluice.runtime.local.TaskResult;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Writes the result of a run as one JSON object. */
public final class RunJson {

    private RunJson() {}

    public static void write(RunResult result, List<LoadClassProgress> classes, Path logs, PrintWriter out) {
        try (JsonGenerator json = JsonOutput.to(out)) {
            json.writeStartObject();
            json.writeBooleanProperty("success", result.isSuccess());
            json.writeBooleanProperty("interrupted", result.interrupted());
            json.writeStringProperty("logs", logs.toString());
            json.writeArrayPropertyStart("unschedulable");
            result.stuck().forEach(json::writeString);
            json.writeEndArray();
            json.writeArrayPropertyStart("applications");
            result.applications().forEach(application -> write(json, application));
            json.writeEndArray();
            json.writeArrayPropertyStart("classes");
            classes.forEach(loadClass -> write(json, loadClass));
            json.writeEndArray();
            json.writeEndObject();
        }
        out.println();
    }

    private static void write(JsonGenerator json, ApplicationResult application) {
        json.writeStartObject();
        json.writeStringProperty("partition", application.partition());
        json.writeStringProperty("application", application.application());
        json.writeStringProperty("queue", application.queue());
        json.writeStringProperty("user", application.user());
        json.writeStringProperty("state", application.state().wireName());
        json.writeStringProperty("reason", application.reason());
        json.writeNumberProperty("tasks", application.tasks());
        json.writeNumberProperty("succeeded", application.succeeded());
        json.writeNumberProperty("failed", application.failed());
        json.writeNumberProperty("stopped", application.stopped());
        json.writeStringProperty("submitted", application.submitted().toString());
        write(json, "started", application.firstPlaced());
        write(json, "ended", application.lastEnded());
        writeMillis(json, "waitedMillis", application.submitted(), application.firstPlaced());
        writeMillis(json, "ranMillis", application.firstPlaced(), application.lastEnded());
        json.writeObjectPropertyStart("exitCodes");
        application.exitCodes().forEach((code, count) -> json.writeNumberProperty(Integer.toString(code), count));
        json.writeEndObject();
        json.writeName("firstFailure");
        write(json, application.firstFailure());
        json.writeArrayPropertyStart("results");
        application.results().forEach(task -> write(json, task));
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, LoadClassProgress loadClass) {
        json.writeStartObject();
        json.writeStringProperty("partition", loadClass.partition());
        json.writeStringProperty("path", loadClass.path());
        json.writeNumberProperty("percent", loadClass.percent());
        json.writeNumberProperty("entitlement", loadClass.entitlement());
        json.writeNumberProperty("started", loadClass.started());
        json.writeNumberProperty("peakRunning", loadClass.peakRunning());
        json.writeNumberProperty("peakLoaned", loadClass.peakLoaned());
        json.writeNumberProperty("preempted", loadClass.preempted());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, @Nullable TaskResult task) {
        if (task == null) {
            json.writeNull();
            return;
        }
        json.writeStartObject();
        json.writeStringProperty("task", task.task());
        json.writeStringProperty("state", task.state().wireName());
        json.writeNumberProperty("attempts", task.attempts());
        Integer exitCode = task.exitCode();
        if (exitCode == null) {
            json.writeNullProperty("exitCode");
        } else {
            json.writeNumberProperty("exitCode", exitCode.intValue());
        }
        json.writeStringProperty("detail", task.detail());
        json.writeStringProperty("started", task.placed().toString());
        json.writeStringProperty("ended", task.ended().toString());
        json.writeStringProperty("log", task.log().toString());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, String key, @Nullable Instant instant) {
        if (instant == null) {
            json.writeNullProperty(key);
        } else {
            json.writeStringProperty(key, instant.toString());
        }
    }

    private static void writeMillis(JsonGenerator json, String key, @Nullable Instant from, @Nullable Instant to) {
        if (from == null || to == null) {
            json.writeNullProperty(key);
        } else {
            json.writeNumberProperty(key, Duration.between(from, to).toMillis());
        }
    }
}
