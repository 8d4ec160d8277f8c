package dev.sluice.simulator.report;

import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.RunFigures.RunKind;
import dev.sluice.simulator.report.SummaryColumn.Better;
import java.io.IOException;
import java.util.List;

/** The table with one row per run: the configurations, followed by the bounds as a separate group. */
final class SummaryTable {

    private final List<SummaryColumn> columns;
    private final List<RunFigures> configurations;
    private final List<RunFigures> bounds;

    SummaryTable(Comparison comparison, List<SummaryColumn> columns) {
        this.columns = List.copyOf(columns);
        this.configurations = comparison.runs().stream()
                .filter(run -> run.kind() == RunKind.CONFIGURATION)
                .toList();
        this.bounds = comparison.runs().stream()
                .filter(run -> run.kind() != RunKind.CONFIGURATION)
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
                SummaryColumn column = columns.get(i);
                String text = column.textOf(run);
                if (run.kind() == RunKind.CONFIGURATION && isBest(column, text)) {
                    html.markup("<td class=\"number best" + edge(i)
                                    + "\"><span class=\"star\" title=\"best\">★</span> ")
                            .text(text)
                            .markup("</td>");
                } else {
                    html.markup("<td class=\"number" + edge(i) + "\">")
                            .text(text)
                            .markup("</td>");
                }
            }
            html.markup("</tr>\n");
        }
        html.markup("</tbody>\n");
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
    private boolean isBest(SummaryColumn column, String text) {
        if (column.better() == Better.NEITHER || text.equals(FigureText.NONE)) {
            return false;
        }
        RunFigures best = null;
        boolean differ = false;
        for (RunFigures run : configurations) {
            double value = column.value().applyAsDouble(run);
            if (!Double.isFinite(value)) {
                continue;
            }
            if (best == null) {
                best = run;
                continue;
            }
            double bestValue = column.value().applyAsDouble(best);
            differ |= !column.textOf(run).equals(column.textOf(best));
            if (column.better() == Better.LOWER ? value < bestValue : value > bestValue) {
                best = run;
            }
        }
        return best != null && differ && column.textOf(best).equals(text);
    }
}
