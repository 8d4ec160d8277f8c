package dev.sluice.cli.simulate;

import dev.sluice.cli.terminal.Style;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.simulator.figures.Measure;
import dev.sluice.simulator.figures.MeasureSpread;
import dev.sluice.simulator.figures.SmallestCluster;
import dev.sluice.simulator.figures.SmallestCluster.SizeCheck;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints how many nodes are enough, what the next smaller number gives, and what was not simulated. */
final class SmallestClusterLines {

    private final PrintWriter out;
    private final Style style;
    private final Map<String, Measure> measures;

    /** @param measures the measures by name */
    SmallestClusterLines(PrintWriter out, Style style, Map<String, Measure> measures) {
        this.out = out;
        this.style = style;
        this.measures = measures;
    }

    void print(List<SmallestCluster> results) {
        out.println();
        out.println(
                style.strong("Enough for " + String.join(" and ", results.get(0).conditions())));
        results.forEach(result -> out.println("  " + TextWidth.printable(sentence(result))));
        out.println();
        for (SmallestCluster result : results) {
            out.println(style.faint(TextWidth.printable(result.configuration() + ": simulated "
                    + result.checks().size() + " of " + result.range() + " sizes by bisection"
                    + (result.isFound() ? "; " + larger(result) : ""))));
        }
        out.println(
                style.faint("More nodes are not always better: a size that was not simulated may be an exception."));
    }

    private String sentence(SmallestCluster result) {
        if (!result.isFound()) {
            SizeCheck largest = result.checks().get(result.checks().size() - 1);
            return result.configuration() + ": none; " + largest.nodes() + ", the largest, is not enough"
                    + values(largest);
        }
        String found = result.configuration() + ": " + result.smallest() + values(result.check(result.smallest()));
        if (result.smaller().isEmpty()) {
            return found + ", the smallest of the range";
        }
        return found + "; " + result.smaller() + " is not enough" + values(result.check(result.smaller()));
    }

    private String larger(SmallestCluster result) {
        List<String> exceptions = result.exceptions();
        if (!exceptions.isEmpty()) {
            return "although larger, not enough: "
                    + exceptions.stream()
                            .map(nodes -> nodes + values(result.check(nodes)))
                            .collect(Collectors.joining(", "));
        }
        List<String> nodes = result.checks().stream().map(SizeCheck::nodes).toList();
        int next = nodes.indexOf(result.smallest()) + 1;
        return next < nodes.size() ? "all simulated larger ones are enough" : "it is the largest";
    }

    /** Returns the measures of a size: the value, and with repetitions the range of the values. */
    private String values(SizeCheck check) {
        return check.measures().stream().map(this::value).collect(Collectors.joining(", ", " (", ")"));
    }

    private String value(MeasureSpread spread) {
        Measure measure = measures.get(spread.measure());
        if (measure == null) { // the utilisation of a resource that no ready node has
            return spread.measure() + " " + MeasureText.NONE;
        }
        String mean = MeasureText.text(measure.unit(), spread.mean());
        String min = MeasureText.text(measure.unit(), spread.min());
        String max = MeasureText.text(measure.unit(), spread.max());
        return spread.measure() + " " + mean + (min.equals(max) ? "" : ", " + min + " to " + max);
    }
}
