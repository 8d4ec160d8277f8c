package dev.sluice.simulator.report;

import dev.sluice.simulator.figures.WorkloadFigures;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The list of facts about the workload and the nodes at the top of the page. */
final class WorkloadFacts {

    private static final DateTimeFormatter MINUTES =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final WorkloadFigures workload;

    WorkloadFacts(WorkloadFigures workload) {
        this.workload = workload;
    }

    void write(HtmlWriter html) throws IOException {
        double span = seconds(workload.first(), workload.last());
        fact(
                html,
                "Submitted",
                FigureText.counted(workload.tasks(), "task") + " in "
                        + FigureText.counted(workload.applications(), "application") + " by "
                        + FigureText.counted(workload.users(), "user"));
        fact(
                html,
                "Period",
                MINUTES.format(workload.first()) + " to " + MINUTES.format(workload.last()) + " UTC ("
                        + FigureText.duration(span) + ")");
        if (workload.timeScale() != 1) {
            fact(html, "Time scale", "interarrival times × " + FigureText.number(workload.timeScale()));
        }
        List<String> capacity = new ArrayList<>();
        List<String> load = new ArrayList<>();
        for (Map.Entry<String, Long> entry : workload.capacity().entrySet()) {
            String type = entry.getKey();
            capacity.add(FigureText.amount(type, entry.getValue()));
            double possible = entry.getValue() * span;
            if (possible > 0 && workload.work().containsKey(type)) {
                load.add(type + " " + FigureText.share(workload.work().get(type) / possible));
            }
        }
        fact(
                html,
                "Nodes",
                FigureText.count(workload.nodes())
                        + (capacity.isEmpty() ? "" : ", together " + String.join(", ", capacity)));
        fact(html, "Offered load", load.isEmpty() ? FigureText.NONE : String.join(", ", load));
    }

    private static void fact(HtmlWriter html, String term, String text) throws IOException {
        html.markup("<div><dt>").text(term).markup("</dt><dd>").text(text).markup("</dd></div>\n");
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toSeconds();
    }
}
