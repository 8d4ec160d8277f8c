package dev.sluice.simulator.report;

import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.figures.Measure;
import dev.sluice.simulator.figures.Measure.Better;
import dev.sluice.simulator.figures.MeasureSpread;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.RunFigures.RunKind;
import java.io.IOException;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** The table with one row per run: the configurations, followed by the bounds as a separate group. */
final class SummaryTable {

    private static final Set<String> IMPORTANT = Set.of(
            "mean wait",
            "p90 wait",
            "max wait",
            "mean slowdown",
            "p90 slowdown",
            "makespan",
            "unfairness",
            "user Jain index");
    private static final Set<String> IMPORTANT_UNLESS_NONE =
            Set.of("preempted", "timed out", "never started", "rejected");

    private final List<Measure> columns;
    private final List<RunFigures> configurations;
    private final List<RunFigures> bounds;

    SummaryTable(Comparison comparison, List<Measure> columns) {
        this.columns = List.copyOf(columns);
        this.configurations = comparison.runs().stream()
                .filter(run -> run.kind() == RunKind.CONFIGURATION)
                .toList();
        this.bounds = comparison.runs().stream()
                .filter(run -> run.kind() != RunKind.CONFIGURATION)
                .toList();
    }

    /** Returns all measures, the utilisation of the scarcest resource before the others. */
    static List<Measure> allOf(Comparison comparison) {
        List<Measure> all = Measure.of(comparison.runs());
        List<String> scarcest = comparison.clusters().get(0).scarcest();
        List<Measure> utilisations = all.stream()
                .filter(Measure::isUtilisation)
                .sorted(Comparator.comparingInt(measure -> rank(scarcest, measure.label())))
                .toList();
        Iterator<Measure> next = utilisations.iterator();
        return all.stream()
                .map(measure -> measure.isUtilisation() ? next.next() : measure)
                .toList();
    }

    private static int rank(List<String> scarcest, String type) {
        int rank = scarcest.indexOf(type);
        return rank < 0 ? scarcest.size() : rank;
    }

    /**
     * Returns the most important measures, and those of failures that occurred in any run: few enough for a common
     * screen.
     */
    static List<Measure> mostImportantOf(Comparison comparison) {
        return allOf(comparison).stream()
                .filter(measure -> measure.isUtilisation()
                        || IMPORTANT.contains(measure.name())
                        || (IMPORTANT_UNLESS_NONE.contains(measure.name())
                                && comparison.runs().stream().anyMatch(run -> measure.value(run) > 0)))
                .toList();
    }

    void write(HtmlWriter html) throws IOException {
        if (configurations.isEmpty() && bounds.isEmpty()) {
            html.markup("<p class=\"empty\">No simulations were run.</p>\n");
            return;
        }
        html.markup("<table class=\"summary\">\n<thead>\n<tr><th rowspan=\"2\" scope=\"col\">Run</th>");
        for (int i = 0; i < columns.size(); ) {
            int end = i;
            while (end < columns.size()
                    && columns.get(end).group().equals(columns.get(i).group())) {
                end++;
            }
            html.markup("<th class=\"group\" scope=\"colgroup\" colspan=\"" + (end - i) + "\">")
                    .text(columns.get(i).group())
                    .markup("</th>");
            i = end;
        }
        html.markup("</tr>\n<tr>");
        for (int i = 0; i < columns.size(); i++) {
            html.markup("<th scope=\"col\" class=\"number" + edge(i) + "\">")
                    .text(columns.get(i).label())
                    .markup("</th>");
        }
        html.markup("</tr>\n</thead>\n");
        body(html, "", configurations);
        if (!bounds.isEmpty()) {
            body(html, " class=\"bounds\"", bounds);
        }
        html.markup("</table>\n");
    }

    private void body(HtmlWriter html, String attributes, List<RunFigures> runs) throws IOException {
        html.markup("<tbody" + attributes + ">\n");
        for (RunFigures run : runs) {
            html.markup("<tr><th scope=\"row\">").text(run.name());
            html.markup(run.kind() == RunKind.CONFIGURATION ? "" : " <small>bound</small>")
                    .markup("</th>");
            for (int i = 0; i < columns.size(); i++) {
                Measure column = columns.get(i);
                String text = textOf(column, run);
                if (run.kind() == RunKind.CONFIGURATION && isBest(column, text)) {
                    html.markup("<td class=\"number best" + edge(i)
                                    + "\"><span class=\"star\" title=\"best\">★</span> ")
                            .text(text);
                } else {
                    html.markup("<td class=\"number" + edge(i) + "\">").text(text);
                }
                spread(html, column, run);
                html.markup("</td>");
            }
            html.markup("</tr>\n");
        }
        html.markup("</tbody>\n");
    }

    /** Writes the minimum and the maximum of the repetitions below their mean if they differ. */
    private static void spread(HtmlWriter html, Measure column, RunFigures run) throws IOException {
        MeasureSpread spread = column.spread(run);
        String min = FigureText.text(column.unit(), spread.min());
        String max = FigureText.text(column.unit(), spread.max());
        if (!min.equals(max)) {
            html.markup("<br><small>").text(min + " to " + max).markup("</small>");
        }
    }

    /** Returns the value of a run as text, the mean if it was repeated. */
    static String textOf(Measure column, RunFigures run) {
        return FigureText.text(column.unit(), column.value(run));
    }

    /** Returns the CSS class of a column that starts a group; empty for other columns. */
    private String edge(int index) {
        return index == 0
                        || !columns.get(index)
                                .group()
                                .equals(columns.get(index - 1).group())
                ? " edge"
                : "";
    }

    /**
     * Whether this is the best value of a column. Compares the displayed text, so that values that look equal are
     * equal; if all are equal, none is best.
     */
    private boolean isBest(Measure column, String text) {
        if (column.better() == Better.NEITHER || text.equals(FigureText.NONE)) {
            return false;
        }
        RunFigures best = null;
        boolean differ = false;
        for (RunFigures run : configurations) {
            double value = column.value(run);
            if (!Double.isFinite(value)) {
                continue;
            }
            if (best == null) {
                best = run;
                continue;
            }
            double bestValue = column.value(best);
            differ |= !textOf(column, run).equals(textOf(column, best));
            if (column.better() == Better.LOWER ? value < bestValue : value > bestValue) {
                best = run;
            }
        }
        return best != null && differ && textOf(column, best).equals(text);
    }
}
