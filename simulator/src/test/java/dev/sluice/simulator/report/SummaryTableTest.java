package dev.sluice.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.figures.Measure;
import dev.sluice.simulator.figures.MeasureSpread;
import dev.sluice.simulator.figures.RunFigures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SummaryTableTest {

    private static final Pattern ROW = Pattern.compile("<tr><th scope=\"row\">(.*?)</tr>", Pattern.DOTALL);
    private static final Pattern CELL = Pattern.compile("<td class=\"([^\"]*)\">(.*?)</td>", Pattern.DOTALL);

    private final Comparison small = GeneratedFigures.small();

    @Test
    void row_ofRun_hasItsFigures() throws IOException {
        for (RunFigures run : small.runs()) {
            List<String> cells = cells(small, run);
            boolean isDivided = run.kind() == RunFigures.RunKind.CONFIGURATION;
            boolean isEndless = run.kind() == RunFigures.RunKind.INFINITE_NODES;
            assertThat(cells)
                    .contains(
                            FigureText.duration(run.total().waiting().mean()),
                            FigureText.duration(run.total().waiting().p99()),
                            FigureText.duration(run.total().longestWaitSeconds()),
                            FigureText.number(run.total().slowdown().p90()),
                            FigureText.duration(run.overall().makespanSeconds()),
                            FigureText.number(run.overall().throughputPerHour()),
                            isEndless
                                    ? FigureText.NONE
                                    : FigureText.share(run.resources().get(2).utilisation()),
                            FigureText.share(run.overall().fragmented()),
                            FigureText.share(run.overall().withheld()),
                            isDivided ? FigureText.share(run.overall().unfairness()) : FigureText.NONE,
                            isDivided ? FigureText.index(run.overall().queueJainIndex()) : FigureText.NONE,
                            FigureText.index(run.overall().userJainIndex()),
                            FigureText.slotTime(run.overall().loans()),
                            FigureText.slotTime(run.overall().lostSeconds()),
                            FigureText.count(run.total().preempted()),
                            FigureText.count(run.total().timedOut()),
                            FigureText.count(run.total().neverStarted()),
                            FigureText.count(run.total().rejected()))
                    .hasSameSizeAs(SummaryTable.allOf(small));
        }
    }

    @Test
    @Tag("slow")
    void configurations_oneBetter_onlyItIsMarked() throws IOException {
        List<Measure> columns = SummaryTable.allOf(small);
        for (int i = 0; i < columns.size(); i++) {
            Measure column = columns.get(i);
            double first = column.value(small.runs().get(0));
            double second = column.value(small.runs().get(1));
            boolean isFirstBetter = switch (column.better()) {
                case LOWER -> first < second;
                case HIGHER -> first > second;
                case NEITHER -> false;
            };
            boolean isSecondBetter = switch (column.better()) {
                case LOWER -> second < first;
                case HIGHER -> second > first;
                case NEITHER -> false;
            };
            assertThat(isMarked(small, 0, i))
                    .as("%s of the first", column.label())
                    .isEqualTo(isFirstBetter);
            assertThat(isMarked(small, 1, i))
                    .as("%s of the second", column.label())
                    .isEqualTo(isSecondBetter);
            for (int bound = 2; bound < small.runs().size(); bound++) {
                assertThat(isMarked(small, bound, i)).isFalse();
            }
        }
    }

    @Test
    void measure_ofRepetitions_showsMeanAndSpread() throws IOException {
        MeasureSpread spread = new MeasureSpread("p90 wait", 120, 60, 240);
        RunFigures repeated = small.runs().get(0).withSpread(List.of(spread));

        assertThat(table(new Comparison(
                        small.workload(), List.of(repeated), small.clusters().get(0))))
                .contains(">2\u00a0min<br><small>1\u00a0min to 4\u00a0min</small></td>")
                .containsOnlyOnce("<small>");
    }

    @Test
    void utilisation_ofScarcestResource_isFirst() {
        assertThat(SummaryTable.allOf(small).stream().filter(Measure::isUtilisation))
                .extracting(Measure::label)
                .containsExactly("vcore", "slots", "memory");
    }

    @Test
    void configurations_equal_noneIsMarked() throws IOException {
        RunFigures run = small.runs().get(0);
        Comparison twice = new Comparison(
                small.workload(), List.of(run, run), small.clusters().get(0));
        assertThat(table(twice)).doesNotContain("★");
    }

    @Test
    void configuration_alone_isNotMarked() throws IOException {
        assertThat(table(new Comparison(
                        small.workload(),
                        small.runs().subList(1, 5),
                        small.clusters().get(0))))
                .doesNotContain("★");
    }

    @Test
    void waiting_withoutTasks_isMissingAndNeverBest() throws IOException {
        RunFigures nothing = GeneratedFigures.nothing().runs().get(0);
        Comparison comparison = new Comparison(
                small.workload(),
                List.of(nothing, small.runs().get(0)),
                small.clusters().get(0));
        assertThat(cells(comparison, nothing).get(0)).isEqualTo("–");
        assertThat(isMarked(comparison, 0, 0)).isFalse();
    }

    @Test
    void mostImportantColumns_withFailures_includeFailures() {
        assertThat(SummaryTable.mostImportantOf(small))
                .extracting(Measure::label)
                .startsWith("mean", "p90", "max", "mean", "p90", "makespan")
                .contains("unfairness", "preempted", "timed out")
                .doesNotContain("p50", "p99", "withheld", "loans");
        assertThat(SummaryTable.mostImportantOf(GeneratedFigures.nothing()))
                .extracting(Measure::label)
                .doesNotContain("preempted", "timed out", "never started", "rejected");
    }

    @Test
    void queueFairness_ofOneQueue_isMissing() {
        Measure unfairness = SummaryTable.allOf(small).stream()
                .filter(column -> column.label().equals("unfairness"))
                .findFirst()
                .orElseThrow();
        assertThat(small.runs())
                .filteredOn(run -> run.kind() != RunFigures.RunKind.CONFIGURATION)
                .isNotEmpty()
                .allSatisfy(bound ->
                        assertThat(SummaryTable.textOf(unfairness, bound)).isEqualTo("–"));
        assertThat(SummaryTable.textOf(unfairness, small.runs().get(0))).isNotEqualTo("–");
    }

    private static boolean isMarked(Comparison comparison, int row, int column) throws IOException {
        Matcher rows = ROW.matcher(table(comparison));
        for (int i = 0; i <= row; i++) {
            assertThat(rows.find()).isTrue();
        }
        Matcher cells = CELL.matcher(rows.group(1));
        for (int i = 0; i <= column; i++) {
            assertThat(cells.find()).isTrue();
        }
        assertThat(cells.group(1).contains("best")).isEqualTo(cells.group(2).contains("★"));
        return cells.group(1).contains("best");
    }

    private static List<String> cells(Comparison comparison, RunFigures run) throws IOException {
        Matcher rows = ROW.matcher(table(comparison));
        while (rows.find()) {
            if (rows.group(1).startsWith(run.name())) {
                List<String> texts = new ArrayList<>();
                Matcher cells = CELL.matcher(rows.group(1));
                while (cells.find()) {
                    texts.add(cells.group(2)
                            .replaceAll("<span.*</span> |<br>.*", "")
                            .replace("&lt;", "<"));
                }
                return texts;
            }
        }
        throw new AssertionError("no row for " + run.name());
    }

    private static String table(Comparison comparison) throws IOException {
        StringBuilder text = new StringBuilder();
        new SummaryTable(comparison, SummaryTable.allOf(comparison)).write(new HtmlWriter(text));
        return text.toString();
    }
}
