package dev.sluice.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.simulator.figures.ClusterFigures;
import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.figures.RunFigures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class HtmlReportTest {

    private static final String BREAKING_OUT =
            "</script></style></title><img src=x onerror=alert(1)><!-- \" ' onload=x {{script}} \u2028\u2029 ]]> &lt;";

    @Test
    void page_writtenTwice_isTheSame() throws IOException {
        assertThat(page(GeneratedFigures.small())).isEqualTo(page(GeneratedFigures.small()));
    }

    @Test
    void page_ofHostileNames_hasUnchangedTags() throws IOException {
        assertThat(tags(page(HostileFigures.everywhere(BREAKING_OUT))))
                .isEqualTo(tags(page(HostileFigures.everywhere("a"))));
    }

    @Test
    void page_ofHostileNames_escapesThem() throws IOException {
        String page = page(HostileFigures.everywhere(BREAKING_OUT));
        assertThat(page.substring(page.indexOf("id=\"figures\"")))
                .doesNotContain("\u2028")
                .doesNotContain("\u2029");
        assertThat(page)
                .doesNotContain("<img")
                .doesNotContain("</script></style>")
                .contains("&lt;/script&gt;&lt;/style&gt;")
                .contains("\\u003c/script\\u003e");
    }

    @Test
    void page_always_loadsNoResources() throws IOException {
        String page = page(GeneratedFigures.small());
        assertThat(page).doesNotContainPattern("(?i)<(link|img|iframe|object|embed|video|audio|source|base)\\b");
        assertThat(page).doesNotContainPattern("(?i)\\b(src|srcset|poster|background)\\s*=\\s*[\"']");
        assertThat(page)
                .doesNotContainPattern(
                        "(?i)@import|url\\(|fetch\\(|XMLHttpRequest|sendBeacon|WebSocket|EventSource|import\\(");
        assertThat(page)
                .contains("content=\"default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-");
    }

    @Test
    void page_always_allowsOnlyItsOwnScriptsAndStyle() throws IOException {
        String page = page(GeneratedFigures.small());
        List<String> sources = new ArrayList<>();
        Matcher contents =
                Pattern.compile("<(style|script)>(.*?)</\\1>", Pattern.DOTALL).matcher(page);
        while (contents.find()) {
            sources.add(PageParts.source(contents.group(2)));
        }
        assertThat(sources).hasSize(3);
        String policy = page.substring(page.indexOf("style-src"), page.indexOf('"', page.indexOf("style-src")));
        assertThat(policy)
                .isEqualTo("style-src " + sources.get(0) + "; script-src " + sources.get(1) + " " + sources.get(2));
    }

    @Test
    void page_withoutScripts_hasSummaryAndDefinitions() throws IOException {
        Comparison comparison = GeneratedFigures.small();
        String page = page(comparison);
        String readable = page.substring(0, page.indexOf("<script"));
        for (RunFigures run : comparison.runs()) {
            assertThat(readable).contains("<th scope=\"row\">" + run.name());
        }
        assertThat(readable).contains("<noscript>").contains("bounded slowdown").contains("256, together 16\u00a0TiB");
    }

    @Test
    void page_ofRepeatedSearch_hasAnswerAndRepetitionsAboveTheSummary() throws IOException {
        String page = page(GeneratedFigures.small());
        String top = page.substring(0, page.indexOf("<table class=\"summary\">"));
        assertThat(top)
                .contains("Enough for p90 wait &lt;= 1h – fair: 256 (p90 wait 50\u00a0min), the smallest of the range")
                .contains("fair: simulated 1 of 512 sizes by bisection; it is the largest")
                .contains("Figures are means of 3 repetitions");
    }

    @Test
    void page_ofRunsWithStops_listsThemByReason() throws IOException {
        String page = page(GeneratedFigures.small());
        assertThat(page.substring(0, page.indexOf("<noscript>")))
                .contains("<summary>Stopped tasks by reason</summary>")
                .contains(": guarantee</th><td class=\"number edge\">3</td>"
                        + "<td class=\"number\">0.03\u00a0slot\u00a0h</td>")
                .contains(": timeout</th><td class=\"number edge\">2</td>");
        assertThat(page(GeneratedFigures.nothing())).doesNotContain("Stopped tasks by reason");
    }

    @Test
    void facts_ofSeveralClusters_nameTheFirstAndTheLast() throws IOException {
        Comparison small = GeneratedFigures.small();
        ClusterFigures one = small.clusters().get(0);
        Comparison two = new Comparison(
                small.workload(),
                small.runs(),
                List.of(
                        new ClusterFigures("gpu=8", 8, one.capacity(), one.scarcest()),
                        new ClusterFigures("gpu=16", 16, one.capacity(), one.scarcest())),
                1,
                List.of());
        assertThat(page(two))
                .contains("2 sets, from gpu=8 (8, together")
                .contains("to gpu=16 (16, together")
                .contains("gpu=8: vcore ")
                .doesNotContain("repetitions, with minimum");
    }

    @Test
    void page_withoutRuns_saysSo() throws IOException {
        assertThat(page(GeneratedFigures.nothing())).contains("0 tasks in 0 applications by 0 users");
        Comparison none = new Comparison(
                GeneratedFigures.nothing().workload(),
                List.of(),
                GeneratedFigures.nothing().clusters().get(0));
        assertThat(page(none)).contains("No simulations were run.");
    }

    /** Returns the elements that a browser finds, in order; contents of scripts and styles are not parsed. */
    private static List<String> tags(String page) {
        String outside = page.replaceAll("(?s)(<script[^>]*>).*?</script>", "$1</script>")
                .replaceAll("(?s)(<style[^>]*>).*?</style>", "$1</style>");
        List<String> tags = new ArrayList<>();
        Matcher tag = Pattern.compile("<[^>]*>").matcher(outside);
        while (tag.find()) {
            tags.add(tag.group());
        }
        return tags;
    }

    private static String page(Comparison comparison) throws IOException {
        StringBuilder text = new StringBuilder();
        HtmlReport.write(comparison, text);
        return text.toString();
    }
}
