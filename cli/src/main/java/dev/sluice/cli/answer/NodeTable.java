package dev.sluice.cli.answer;

import dev.sluice.cli.terminal.Style;
import dev.sluice.cli.terminal.TextTable;
import dev.sluice.cli.terminal.TextTable.Cell;
import dev.sluice.server.api.NodeView;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/** Table of nodes and their allocation. */
public final class NodeTable {

    private final Style style;

    public NodeTable(Style style) {
        this.style = style;
    }

    /** Prints up to {@code rowsMax} nodes. */
    public void print(List<NodeView> nodes, int rowsMax, PrintWriter out) {
        TextTable table = new TextTable(rowsMax)
                .text("NODE")
                .text("STATE")
                .number("TASKS")
                .text("USED")
                .number("")
                .text("ALLOCATED")
                .text("CAPACITY")
                .text("RUN BY")
                .text("LABELS");
        for (NodeView node : nodes) {
            double used = used(node);
            table.row(List.of(
                    new Cell(node.name(), style::strong),
                    new Cell(node.state(), node.state().equals("ready") ? style::good : style::warning),
                    Cell.of(Texts.orDash(node.tasks())),
                    Cell.of(QueueTables.bar(used)),
                    Cell.of(Texts.percent(used)),
                    Cell.of(Texts.amounts(node.allocated())),
                    Cell.of(Texts.amounts(node.capacity())),
                    Cell.of(Texts.orDash(node.runBy())),
                    Cell.of(labels(node.labels()))));
        }
        table.print(out, style, "");
    }

    /** Returns the largest allocated fraction over all resources. */
    private static double used(NodeView node) {
        double most = 0;
        for (Map.Entry<String, Long> entry : node.capacity().entrySet()) {
            long capacity = entry.getValue();
            if (capacity > 0) {
                most = Math.max(most, node.allocated().getOrDefault(entry.getKey(), 0L) / (double) capacity);
            }
        }
        return most;
    }

    private static String labels(Map<String, String> labels) {
        return String.join(
                ", ",
                labels.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .toList());
    }
}
