package dev.sluice.server.page;

import dev.sluice.server.api.NodeView;
import java.util.ArrayList;
import java.util.List;

/**
 * Nodes as cells, darker the more of a resource type is allocated.
 *
 * @param width the width of the drawing
 */
public record HeatMap(int width, int height, List<Cell> cells) {

    private static final int COLUMNS = 40;
    private static final int SIZE = 22;

    /** Number of shades between nothing and everything. */
    private static final int SHADES = 5;

    /**
     * A node.
     *
     * @param style its shade, or that it is not ready
     * @param label its name and figures
     */
    public record Cell(String link, int x, int y, String style, String label) {}

    static HeatMap of(String partition, List<NodeView> nodes, String resource) {
        int columns = Math.max(1, Math.min(COLUMNS, nodes.size()));
        List<Cell> cells = new ArrayList<>();
        for (NodeView node : nodes) {
            long whole = node.capacity().getOrDefault(resource, 0L);
            long used = node.allocated().getOrDefault(resource, 0L);
            boolean ready = node.state().equals("ready");
            cells.add(new Cell(
                    Links.node(partition, node.name()),
                    cells.size() % columns * SIZE,
                    cells.size() / columns * SIZE,
                    ready ? "heat" + shade(used, whole) : "notready",
                    node.name() + ": " + Figures.amount(resource, used) + " of " + Figures.amount(resource, whole) + " "
                            + resource + (ready ? "" : ", " + node.state())));
        }
        return new HeatMap(columns * SIZE, (nodes.size() + columns - 1) / columns * SIZE, cells);
    }

    private static long shade(long used, long whole) {
        return used <= 0 || whole <= 0 ? 0 : Math.min(SHADES, 1 + (long) ((double) used / whole * (SHADES - 1)));
    }
}
