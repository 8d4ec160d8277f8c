package dev.sluice.server.page;

import dev.sluice.server.api.NodeView;
import java.util.List;

/** Nodes as cells, darker the more of a resource type is allocated. */
public final class HeatMap {

    /** Number of shades between nothing and everything. */
    private static final int SHADES = 5;

    private HeatMap() {}

    /**
     * A node.
     *
     * @param style its shade, or that it is not ready
     * @param label its name and figures
     */
    public record Cell(String link, String style, String label) {}

    static List<Cell> of(String partition, List<NodeView> nodes, String resource) {
        return nodes.stream().map(node -> cell(partition, node, resource)).toList();
    }

    private static Cell cell(String partition, NodeView node, String resource) {
        long whole = node.capacity().getOrDefault(resource, 0L);
        long used = node.allocated().getOrDefault(resource, 0L);
        boolean ready = node.state().equals("ready");
        return new Cell(
                Links.node(partition, node.name()),
                ready ? "heat" + shade(used, whole) : "notready",
                node.name() + ": " + Figures.amount(resource, used) + " of " + Figures.amount(resource, whole) + " "
                        + resource + (ready ? "" : ", " + node.state()));
    }

    private static long shade(long used, long whole) {
        return used <= 0 || whole <= 0 ? 0 : Math.min(SHADES, 1 + (long) ((double) used / whole * (SHADES - 1)));
    }
}
