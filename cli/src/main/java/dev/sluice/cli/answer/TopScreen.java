package dev.sluice.cli.answer;

import dev.sluice.cli.terminal.Style;
import dev.sluice.server.api.ApplicationView;
import dev.sluice.server.api.EventView;
import dev.sluice.server.api.HealthView;
import dev.sluice.server.api.NodeView;
import dev.sluice.server.api.PartitionView;
import dev.sluice.server.api.QueueView;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Overview of a partition: capacity, queues, applications, nodes and latest events.
 *
 * @param server the address of the server
 * @param at the time of the responses
 */
public record TopScreen(
        URI server,
        Instant at,
        HealthView health,
        PartitionView partition,
        List<QueueView> queues,
        List<ApplicationView> applications,
        List<NodeView> nodes,
        List<EventView> events) {

    /** Lines present on a screen of any height: the heading, and a blank line and a title for each of four parts. */
    private static final int FIXED = 2 + 4 * 2;

    public TopScreen {
        queues = List.copyOf(queues);
        applications = List.copyOf(applications);
        nodes = List.copyOf(nodes);
        events = List.copyOf(events);
    }

    /** Returns up to {@code most} lines. */
    public List<String> lines(Style style, int most) {
        int room = Math.max(4, most - FIXED);
        int shownQueues = Math.min(queues.size(), Math.max(1, room / 3));
        int shownNodes = Math.min(nodes.size(), Math.max(1, room / 5));
        int left = room - shownQueues - shownNodes;
        int shownEvents = Math.min(events.size(), Math.max(1, left / 2));
        int shownApplications = Math.max(1, left - shownEvents - 2);
        StringWriter text = new StringWriter();
        try (PrintWriter out = new PrintWriter(text)) {
            heading(style, out);
            part(
                    out,
                    to -> new QueueTables(queues.subList(0, shownQueues), List.of(), style)
                            .tree(to, Integer.MAX_VALUE));
            part(
                    out,
                    to -> new ApplicationTables(style)
                            .list(
                                    applications.subList(0, Math.min(applications.size(), shownApplications)),
                                    at,
                                    Integer.MAX_VALUE,
                                    to));
            part(out, to -> new NodeTable(style).print(nodes.subList(0, shownNodes), Integer.MAX_VALUE, to));
            part(out, to -> {
                to.println(style.faint("LATEST EVENTS"));
                EventLines lines = new EventLines(style, false);
                events.subList(events.size() - shownEvents, events.size())
                        .forEach(event -> to.println(lines.line(event, false)));
            });
        }
        return text.toString().lines().limit(most).toList();
    }

    private static void part(PrintWriter out, Consumer<PrintWriter> what) {
        out.println();
        what.accept(out);
    }

    private void heading(Style style, PrintWriter out) {
        String status = health.status().equals("up") ? style.good("up") : style.bad(health.status());
        out.println(style.strong(server.toString()) + "  " + status + "  " + Texts.timeOfDay(at)
                + (health.detail().isEmpty() ? "" : "  " + health.detail()));
        out.println(String.format(
                Locale.ROOT,
                "partition %s: %,d applications, %,d tasks running, %,d pending; %,d of %,d nodes ready; %s of %s%s",
                partition.name(),
                partition.applications(),
                partition.allocatedTasks(),
                partition.pendingTasks(),
                partition.ready(),
                partition.nodes(),
                Texts.amounts(partition.allocated()),
                Texts.amounts(partition.capacity()),
                partition.tasksMax() < 0 ? "" : "; throttled to " + partition.tasksMax()));
    }
}
