package dev.sluice.cli.plan;

import dev.sluice.cli.json.JsonOutput;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.explain.WaitReason;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.share.LoadClassShare;
import java.io.PrintWriter;
import tools.jackson.core.JsonGenerator;

/** Writes a plan as one JSON object; amounts are in base units. */
public final class PlanJson {

    private PlanJson() {}

    public static void write(Plan plan, PrintWriter out) {
        try (JsonGenerator json = JsonOutput.to(out)) {
            json.writeStartObject();
            json.writeStringProperty("at", plan.at().toString());
            json.writeArrayPropertyStart("start");
            plan.starts().forEach(start -> write(json, start));
            json.writeEndArray();
            json.writeArrayPropertyStart("preempt");
            plan.preemptions().forEach(preemption -> write(json, preemption));
            json.writeEndArray();
            json.writeArrayPropertyStart("reserve");
            plan.reservations().forEach(reserved -> write(json, reserved));
            json.writeEndArray();
            json.writeArrayPropertyStart("queues");
            plan.queues().forEach(queue -> write(json, queue));
            json.writeEndArray();
            json.writeArrayPropertyStart("waiting");
            plan.waits().forEach(wait -> write(json, wait));
            json.writeEndArray();
            json.writeEndObject();
        }
        out.println();
    }

    private static void write(JsonGenerator json, Plan.Start start) {
        json.writeStartObject();
        json.writeStringProperty("partition", start.partition());
        json.writeStringProperty("application", start.application());
        json.writeStringProperty("task", start.task());
        json.writeStringProperty("node", start.node());
        json.writeStringProperty("queue", start.queue());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Plan.Reserved reserved) {
        json.writeStartObject();
        json.writeStringProperty("partition", reserved.partition());
        json.writeStringProperty("application", reserved.application());
        json.writeStringProperty("task", reserved.task());
        json.writeNumberProperty("tasks", reserved.tasks());
        json.writeStringProperty("queue", reserved.queue());
        json.writeArrayPropertyStart("nodes");
        reserved.nodes().forEach(json::writeString);
        json.writeEndArray();
        json.writeStringProperty("start", reserved.start().toString());
        json.writeNumberProperty("delays", reserved.delays());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Plan.PlannedPreemption preemption) {
        json.writeStartObject();
        json.writeStringProperty("partition", preemption.partition());
        json.writeStringProperty("application", preemption.application());
        json.writeStringProperty("task", preemption.task());
        json.writeStringProperty("queue", preemption.queue());
        json.writeStringProperty("node", preemption.node());
        json.writeStringProperty("reason", preemption.reason());
        TaskRef beneficiary = preemption.beneficiary();
        if (beneficiary != null) {
            json.writeObjectPropertyStart("for");
            json.writeStringProperty("application", beneficiary.application());
            json.writeStringProperty("task", beneficiary.id());
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Plan.QueueLine queue) {
        json.writeStartObject();
        json.writeStringProperty("partition", queue.partition());
        json.writeStringProperty("path", queue.path());
        json.writeStringProperty("policy", queue.policy());
        write(json, "allocated", queue.allocated());
        write(json, "pending", queue.pending());
        json.writeNumberProperty("started", queue.started());
        json.writeNumberProperty("preempted", queue.preempted());
        json.writeObjectPropertyStart("share");
        queue.dominantShare().ifPresent(share -> json.writeNumberProperty("dominant", share));
        LoadClassShare load = queue.load();
        if (load != null) {
            json.writeNumberProperty("percent", load.percent());
            json.writeNumberProperty("entitlement", load.entitlement());
            json.writeNumberProperty("loaned", load.loaned());
            json.writeNumberProperty("start", load.start());
            json.writeNumberProperty("running", load.running());
            json.writeNumberProperty("waiting", load.waiting());
            json.writeNumberProperty("preempt", load.stop());
        }
        Plan.UsageLine usage = queue.usage();
        if (usage != null) {
            json.writeNumberProperty("usage", usage.figures().usage());
            json.writeNumberProperty("usagePriority", usage.figures().usagePriority());
            json.writeNumberProperty("effectivePriority", usage.figures().effectivePriority());
            json.writeNumberProperty("fraction", usage.figures().fraction());
            write(json, "slice", usage.slice());
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, String key, Resources amounts) {
        json.writeObjectPropertyStart(key);
        amounts.amounts().forEach((type, amount) -> json.writeNumberProperty(type, amount.value()));
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Plan.Wait wait) {
        json.writeStartObject();
        json.writeStringProperty("partition", wait.partition());
        json.writeStringProperty("application", wait.application());
        json.writeNumberProperty("tasks", wait.tasks());
        json.writeStringProperty("reason", wait.reason());
        json.writeStringProperty("detail", wait.detail());
        json.writeBooleanProperty("never", wait.never());
        WaitReason.LimitReached limit = wait.limit();
        if (limit != null) {
            json.writeObjectPropertyStart("limit");
            json.writeStringProperty("subject", limit.subject().wireName());
            json.writeStringProperty("name", limit.name());
            json.writeStringProperty("queue", limit.queue());
            if (limit.resource() != null) {
                json.writeStringProperty("resource", limit.resource());
            }
            json.writeNumberProperty("limit", limit.limit().value());
            json.writeNumberProperty("used", limit.used().value());
            json.writeNumberProperty("asked", limit.asked().value());
            json.writeEndObject();
        }
        WaitReason.GangIncomplete gang = wait.gang();
        if (gang != null) {
            json.writeObjectPropertyStart("gang");
            json.writeNumberProperty("fitting", gang.fitting());
            json.writeNumberProperty("members", gang.members());
            if (gang.topologyKey() != null) {
                json.writeStringProperty("topologyKey", gang.topologyKey());
            }
            json.writeEndObject();
        }
        json.writeEndObject();
    }
}
