package dev.sluice.cli.answer;

import dev.sluice.cli.terminal.Style;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.server.api.EventView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Formats events as lines. */
public final class EventLines {

    private static final int TYPE_WIDTH = 26;

    private final Style style;
    private final boolean partitions;

    /** @param partitions whether lines show the partition */
    public EventLines(Style style, boolean partitions) {
        this.style = style;
        this.partitions = partitions;
    }

    /** Returns a line such as {@code 12:00:01 task.placed etl t-0 on node-1}. */
    public String line(EventView event, boolean withDate) {
        String time = withDate ? Texts.time(event.at()) : Texts.timeOfDay(event.at());
        StringBuilder line = new StringBuilder(style.faint(time)).append("  ");
        if (partitions) {
            line.append(TextWidth.printable(event.partition())).append("  ");
        }
        line.append(TextWidth.padded(TextWidth.printable(event.type()), TYPE_WIDTH))
                .append(TextWidth.printable(what(event)));
        if (!event.actor().isEmpty()) {
            line.append(style.faint("  by " + TextWidth.printable(event.actor())));
        }
        return line.toString().stripTrailing();
    }

    private static String what(EventView event) {
        StringBuilder what = new StringBuilder();
        for (Map.Entry<String, Object> entry : event.data().entrySet()) {
            String text = text(event, entry.getKey(), entry.getValue());
            if (!text.isEmpty()) {
                what.append(what.length() == 0 || entry.getKey().equals("index") ? "" : " ")
                        .append(text);
            }
        }
        return what.toString();
    }

    private static String text(EventView event, String key, Object value) {
        return switch (key) {
            case "application" -> value.toString();
            case "task" -> value.toString();
            case "index" -> "[" + value + "]";
            case "node" -> event.type().startsWith("node.") ? value.toString() : "on " + value;
            case "queue" ->
                event.type().startsWith("queue.") ? value.toString() : isSubmission(event) ? "in " + value : "";
            case "from" -> value.toString();
            case "to" -> "→ " + value;
            case "outcome" -> value.toString();
            case "exitCode" -> "exit code " + value;
            case "detail" -> value.equals("exit code " + event.data().get("exitCode")) ? "" : "(" + value + ")";
            case "reason" -> "(" + value + ")";
            case "for" -> value instanceof Map<?, ?> task ? "for " + beneficiary(task) : "";
            case "nodes" -> value instanceof List<?> nodes ? "on " + join(nodes) : "";
            case "start" -> "from " + Texts.time(Instant.parse(value.toString()));
            case "delays" -> value.equals(0) ? "" : value.equals(1) ? "put off once" : "put off " + value + " times";
            case "members" -> value + (value.equals(1) ? " member" : " members");
            case "reserved" -> Boolean.TRUE.equals(value) ? "as soon as capacity is free" : "";
            case "again" ->
                Boolean.TRUE.equals(value)
                        ? "will be retried" + (event.data().containsKey("retryAt") ? " at" : "")
                        : "";
            case "retryAt" -> Texts.timeOfDay(Instant.parse(value.toString()));
            case "user" -> isSubmission(event) ? "of " + value : "";
            case "attempt" -> value.equals(1) ? "" : "run " + value;
            case "tasks" -> value + (value.toString().equals("1") ? " task" : " tasks");
            case "tasksMax" -> "at most " + value;
            default -> "";
        };
    }

    private static String beneficiary(Map<?, ?> task) {
        return task.get("application") + " " + task.get("task") + "[" + task.get("index") + "]";
    }

    private static String join(List<?> values) {
        return values.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    /** Only this event repeats in its line whose application it is; all of them say it as JSON. */
    private static boolean isSubmission(EventView event) {
        return event.type().equals("application.submitted");
    }
}
