package dev.sluice.benchmarks.page;

import dev.sluice.benchmarks.rounds.Machine;
import dev.sluice.benchmarks.rounds.Quantiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** The results of {@link PageBenchmark}, as Markdown and as JSON. */
record PageResults(Machine machine, List<PageTimes> times, OpenPagesCost cost) {

    void write(Path folder) throws IOException {
        Files.writeString(folder.resolve("page.md"), markdown());
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("machine", machine);
        all.put("pages", times);
        all.put("openPages", cost);
        Files.writeString(
                folder.resolve("page.json"),
                JsonMapper.builder().build().writerWithDefaultPrettyPrinter().writeValueAsString(all) + "\n");
    }

    String markdown() {
        StringBuilder text = new StringBuilder(machine + ".\n\n");
        text.append("Milliseconds until a page has arrived, over the loopback interface.\n\n");
        text.append("| page | first | p50 | p95 | maximum | KiB |\n| --- | ---: | ---: | ---: | ---: | ---: |\n");
        for (PageTimes page : times) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %.0f | %.0f | %.0f | %.0f | %d |%n",
                    page.page(),
                    page.first(),
                    page.p50(),
                    page.p95(),
                    page.max(),
                    page.bytes() / 1024));
        }
        text.append(String.format(
                Locale.ROOT,
                "%n%d open pages, %d tasks ended and placed per second; median (p10 to p90) of %d rounds of %.0f s.%n%n",
                cost.pages(),
                cost.rate(),
                cost.rounds().size(),
                cost.secondsPerRound()));
        text.append("| | without | with |\n| --- | --- | --- |\n");
        row(
                text,
                "tasks placed per second",
                cost.of(round -> round.without().placed()),
                cost.of(round -> round.with().placed()));
        row(
                text,
                "scheduler's thread, % of a processor",
                cost.of(round -> round.without().scheduler()).times(100),
                cost.of(round -> round.with().scheduler()).times(100));
        row(
                text,
                "server, % of a processor",
                cost.of(round -> round.without().process()).times(100),
                cost.of(round -> round.with().process()).times(100));
        text.append("\nUpdates of a page per second: ")
                .append(cost.of(round -> round.with().updates()))
                .append(". Tasks placed, ratio: ")
                .append(cost.placedRatio())
                .append(".\nLoss of the scheduler's maximum rate: ")
                .append(cost.loss().times(100))
                .append(" %.\n");
        return text.toString();
    }

    private static void row(StringBuilder text, String name, Quantiles without, Quantiles with) {
        text.append("| ")
                .append(name)
                .append(" | ")
                .append(without)
                .append(" | ")
                .append(with)
                .append(" |\n");
    }
}
