package dev.sluice.simulator.report;

import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.StopFigures;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The table of the runs of tasks that were stopped, by simulation and reason; nothing if there are none. */
final class StopTable {

    private final List<RunFigures> runs;

    StopTable(Comparison comparison) {
        this.runs = comparison.runs().stream()
                .filter(run -> !run.total().stopped().isEmpty())
                .toList();
    }

    void write(HtmlWriter html) throws IOException {
        if (runs.isEmpty()) {
            return;
        }
        html.markup("<details><summary>Stopped tasks by reason</summary>\n"
                + "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Stopped tasks by reason\">\n"
                + "<table class=\"summary\">\n<thead>\n<tr><th scope=\"col\">Run</th>"
                + "<th scope=\"col\" class=\"number edge\">stops</th>"
                + "<th scope=\"col\" class=\"number\">lost work</th></tr>\n</thead>\n<tbody>\n");
        for (RunFigures run : runs) {
            for (Map.Entry<String, StopFigures> stopped : run.total().stopped().entrySet()) {
                html.markup("<tr><th scope=\"row\">")
                        .text(run.name() + ": " + stopped.getKey())
                        .markup("</th>");
                cell(html, " edge", FigureText.count(stopped.getValue().stops()));
                cell(html, "", FigureText.slotTime(stopped.getValue().lostSeconds()));
                html.markup("</tr>\n");
            }
        }
        html.markup("</tbody>\n</table>\n</div>\n</details>\n");
    }

    private static void cell(HtmlWriter html, String edge, String value) throws IOException {
        html.markup("<td class=\"number" + edge + "\">").text(value).markup("</td>");
    }
}
