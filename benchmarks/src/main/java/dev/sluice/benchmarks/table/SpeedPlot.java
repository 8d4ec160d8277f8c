package dev.sluice.benchmarks.table;

import dev.sluice.benchmarks.rounds.Quantiles;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A chart of the rates in a table: a bar for every line in placements per second, grouped by row. */
final class SpeedPlot {

    /** Colors that are distinguishable with color blindness (Okabe and Ito), assigned to rows in turn. */
    private static final List<String> COLOURS = List.of("#56B4E9", "#E69F00", "#009E73", "#CC79A7");

    private SpeedPlot() {}

    /** Returns the chart as SVG. */
    static String svg(Table table) {
        List<BarPlot.Group> groups = new ArrayList<>();
        for (RowResult row : table.rows()) {
            List<BarPlot.Bar> bars = new ArrayList<>();
            for (Line line : row.lines()) {
                Quantiles value = line.value();
                if (value != null && line.unit().equals(Line.PLACEMENTS)) {
                    bars.add(new BarPlot.Bar(line.what(), value));
                }
            }
            if (!bars.isEmpty()) {
                groups.add(new BarPlot.Group(row.title(), COLOURS.get(groups.size() % COLOURS.size()), bars));
            }
        }
        String machines = new TreeSet<>(table.rows().stream()
                        .map(row -> row.machine().date() + ", " + row.machine().processor())
                        .toList())
                .stream().collect(Collectors.joining("; "));
        return new BarPlot(
                        "Placements per second of processor time",
                        "Median; error bars from p10 to p90 of the rounds. " + machines,
                        groups)
                .svg();
    }
}
