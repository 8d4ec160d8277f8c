package dev.sluice.simulator.report;

import dev.sluice.simulator.figures.ClusterFigures;
import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.figures.WorkloadFigures;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The list of facts about the workload and the nodes at the top of the page. */
final class WorkloadFacts {

    private static final DateTimeFormatter MINUTES =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Comparison comparison;
    private final WorkloadFigures workload;

    WorkloadFacts(Comparison comparison) {
        this.comparison = comparison;
        this.workload = comparison.workload();
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
        List<ClusterFigures> clusters = comparison.clusters();
        ClusterFigures first = clusters.get(0);
        ClusterFigures last = clusters.get(clusters.size() - 1);
        if (clusters.size() == 1) {
            fact(html, "Nodes", nodes(first));
            fact(html, "Offered load", load(first, span));
        } else {
            fact(
                    html,
                    "Nodes",
                    clusters.size() + " sets, from " + first.name() + " (" + nodes(first) + ") to " + last.name() + " ("
                            + nodes(last) + ")");
            fact(
                    html,
                    "Offered load",
                    first.name() + ": " + load(first, span) + "; " + last.name() + ": " + load(last, span));
        }
    }

    private static String nodes(ClusterFigures cluster) {
        List<String> capacity = new ArrayList<>();
        cluster.capacity().forEach((type, amount) -> capacity.add(FigureText.amount(type, amount)));
        return FigureText.count(cluster.nodes())
                + (capacity.isEmpty() ? "" : ", together " + String.join(", ", capacity));
    }

    /** Returns the demand relative to the capacity, the scarcest resource first. */
    private String load(ClusterFigures cluster, double span) {
        List<String> load = new ArrayList<>();
        for (String type : cluster.scarcest()) {
            double possible = cluster.capacity().getOrDefault(type, 0L) * span;
            Double work = workload.work().get(type);
            if (possible > 0 && work != null) {
                load.add(type + " " + FigureText.share(work / possible));
            }
        }
        return load.isEmpty() ? FigureText.NONE : String.join(", ", load);
    }

    private static void fact(HtmlWriter html, String term, String text) throws IOException {
        html.markup("<div><dt>").text(term).markup("</dt><dd>").text(text).markup("</dd></div>\n");
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toSeconds();
    }
}
