package dev.sluice.simulator.report;

import dev.sluice.simulator.figures.Measure;
import dev.sluice.simulator.figures.MeasureSpread;
import dev.sluice.simulator.figures.SmallestCluster;
import dev.sluice.simulator.figures.SmallestCluster.SizeCheck;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Sentences about how many nodes are enough, what the next smaller number gives, and what was not simulated. */
public final class SmallestClusterText {

    /** What the search assumes. */
    public static final String CAVEAT =
            "More nodes are not always better: a size that was not simulated may be an exception.";

    private final Map<String, Measure> measures = new HashMap<>();
    private final MeasureFormat format;

    /** Formats a value of a unit. */
    @FunctionalInterface
    public interface MeasureFormat {
        String text(Measure.Unit unit, double value);
    }

    /**
     * Creates the sentences of a comparison.
     *
     * @param measures the measures of the comparison
     */
    public SmallestClusterText(List<Measure> measures, MeasureFormat format) {
        measures.forEach(measure -> this.measures.put(measure.name(), measure));
        this.format = format;
    }

    /** Returns the heading: what the nodes are enough for. */
    public String conditions(SmallestCluster result) {
        return "Enough for " + String.join(" and ", result.conditions());
    }

    /** Returns the answer for one configuration. */
    public String sentence(SmallestCluster result) {
        String name = result.configuration() + ": ";
        if (!result.isFound()) {
            SizeCheck largest = result.checks().get(result.checks().size() - 1);
            return name + "none; " + largest.nodes() + ", the largest, is not enough" + values(largest);
        }
        String found = name + result.smallest() + values(result.check(result.smallest()));
        return result.smaller().isEmpty()
                ? found + ", the smallest of the range"
                : found + "; " + result.smaller() + " is not enough" + values(result.check(result.smaller()));
    }

    /** Returns which sizes were simulated for one configuration, and whether the larger ones are enough. */
    public String simulated(SmallestCluster result) {
        return result.configuration() + ": simulated " + result.checks().size() + " of " + result.range()
                + " sizes by bisection" + (result.isFound() ? "; " + larger(result) : "");
    }

    private String larger(SmallestCluster result) {
        List<String> exceptions = result.exceptions();
        if (!exceptions.isEmpty()) {
            return "although larger, not enough: "
                    + exceptions.stream()
                            .map(nodes -> nodes + values(result.check(nodes)))
                            .collect(Collectors.joining(", "));
        }
        SizeCheck largest = result.checks().get(result.checks().size() - 1);
        return largest.nodes().equals(result.smallest()) ? "it is the largest" : "all simulated larger ones are enough";
    }

    /** Returns the measures of a size: the value, and with repetitions the range of the values. */
    private String values(SizeCheck check) {
        return check.measures().stream().map(this::value).collect(Collectors.joining(", ", " (", ")"));
    }

    private String value(MeasureSpread spread) {
        Measure measure = measures.get(spread.measure());
        if (measure == null) { // the utilisation of a resource that no ready node has
            return "no " + spread.measure();
        }
        String mean = format.text(measure.unit(), spread.mean());
        String min = format.text(measure.unit(), spread.min());
        String max = format.text(measure.unit(), spread.max());
        return spread.measure() + " " + mean + (min.equals(max) ? "" : ", " + min + " to " + max);
    }
}
