package dev.sluice.simulator.report;

import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.figures.Measure;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.SmallestCluster;
import java.io.IOException;

/**
 * Writes a comparison as one self-contained page: figures, charts and scripts are embedded, and it sends no requests.
 *
 * <p>The same comparison gives the same page, byte for byte. Texts from outside, such as names of queues, are escaped;
 * the content security policy of the page allows only its own scripts and styles and no requests.
 */
public final class HtmlReport {

    private static final String MARK_BEGIN = "{{";
    private static final String MARK_END = "}}";

    private final Comparison comparison;
    private final Appendable out;
    private final HtmlWriter html;
    private final String style = PageParts.style();
    private final String library = PageParts.library();
    private final String script = PageParts.script();

    private HtmlReport(Comparison comparison, Appendable out) {
        this.comparison = comparison;
        this.out = out;
        this.html = new HtmlWriter(out);
    }

    /** Writes the page, which the receiver must encode as UTF-8. */
    public static void write(Comparison comparison, Appendable to) throws IOException {
        new HtmlReport(comparison, to).page();
    }

    /** Returns the content security policy of the page, for servers that send it. */
    public static String policy() {
        return policy(PageParts.style(), PageParts.library(), PageParts.script());
    }

    private static String policy(String style, String library, String script) {
        return "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + PageParts.source(style)
                + "; script-src " + PageParts.source(library) + " " + PageParts.source(script);
    }

    private void page() throws IOException {
        String skeleton = PageParts.skeleton();
        int done = 0;
        for (int mark = skeleton.indexOf(MARK_BEGIN); mark >= 0; mark = skeleton.indexOf(MARK_BEGIN, done)) {
            int end = skeleton.indexOf(MARK_END, mark);
            out.append(skeleton, done, mark);
            part(skeleton.substring(mark + MARK_BEGIN.length(), end));
            done = end + MARK_END.length();
        }
        out.append(skeleton, done, skeleton.length());
    }

    private void enough() throws IOException {
        SmallestClusterText text = new SmallestClusterText(Measure.of(comparison.runs()), FigureText::text);
        for (SmallestCluster result : comparison.enough()) {
            html.markup("<p><strong>")
                    .text(text.conditions(result) + " – " + text.sentence(result))
                    .markup("</strong></p>\n<p class=\"note\">")
                    .text(text.simulated(result) + ". " + SmallestClusterText.CAVEAT)
                    .markup("</p>\n");
        }
    }

    private void repetitions() throws IOException {
        if (comparison.repetitions() > 1) {
            html.markup("<p class=\"note\">")
                    .text("Figures are means of " + comparison.repetitions()
                            + " repetitions, with minimum and maximum below them if they differ. Charts, queues and"
                            + " users are of the first repetition.")
                    .markup("</p>\n");
        }
    }

    private void part(String name) throws IOException {
        switch (name) {
            case "policy" -> out.append(policy(style, library, script));
            case "style" -> out.append(style);
            case "workload" -> html.text(comparison.workload().name());
            case "rejections" -> {
                for (RunFigures run : comparison.runs()) {
                    String sentence = Rejections.sentence(run);
                    if (sentence != null) {
                        html.markup("<p role=\"alert\"><strong>").text(sentence).markup("</strong></p>\n");
                    }
                }
            }
            case "facts" -> new WorkloadFacts(comparison).write(html);
            case "enough" -> enough();
            case "repetitions" -> repetitions();
            case "summary" -> new SummaryTable(comparison, SummaryTable.mostImportantOf(comparison)).write(html);
            case "everything" -> new SummaryTable(comparison, SummaryTable.allOf(comparison)).write(html);
            case "stops" -> new StopTable(comparison).write(html);
            case "definitions" -> DefinitionList.write(html);
            case "figures" -> ComparisonJson.writeToPage(comparison, out);
            case "library" -> out.append(library);
            case "script" -> out.append(script);
            default -> throw new IllegalStateException("unknown placeholder " + name);
        }
    }
}
