package dev.sluice.benchmarks.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.benchmarks.rounds.Quantiles;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

final class BarPlotTest {

    private static Document parse(String svg) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        return factory.newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }

    private static BarPlot plot(String text, Quantiles... values) {
        List<BarPlot.Bar> bars = new ArrayList<>();
        for (Quantiles value : values) {
            bars.add(new BarPlot.Bar(text, value));
        }
        return new BarPlot(text, text, List.of(new BarPlot.Group(text, "#000000", bars)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "</text><script>alert(1)</script>",
                "a & b \" ' ]]> <!-- %d %s",
                "\u0000\u0001\uD800 \uFFFE",
                "Schlange 🐍 & 蛇"
            })
    void svg_withSpecialCharacters_isWellFormed(String name) throws Exception {
        Document document = parse(plot(name, new Quantiles(2, 1, 3)).svg());

        assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
        assertThat(document.getElementsByTagName("script").getLength()).isZero();
        String shown = document.getElementsByTagName("title").item(0).getTextContent();
        assertThat(shown).isEqualTo(name.replaceAll("[\u0000\u0001\uD800\uFFFE]", "\uFFFD"));
    }

    @Test
    void svg_ofBars_hasProportionalLengths() throws Exception {
        Document document = parse(plot("x", new Quantiles(200, 100, 400), new Quantiles(400, 300, 500))
                .svg());

        NodeList rectangles = document.getElementsByTagName("rect"); // the first is the background
        double first = Double.parseDouble(((Element) rectangles.item(1)).getAttribute("width"));
        double second = Double.parseDouble(((Element) rectangles.item(2)).getAttribute("width"));
        assertThat(second / first).isBetween(1.99, 2.01);
    }

    @Test
    void svg_withoutBars_isWellFormed() throws Exception {
        assertThat(parse(new BarPlot("x", "y", List.of()).svg())
                        .getDocumentElement()
                        .getTagName())
                .isEqualTo("svg");
    }

    @ParameterizedTest
    @CsvSource({"5, 1", "5.1, 2", "10, 2", "11, 2.5", "13, 5", "26, 10", "0, 1", "4000000, 1000000"})
    void scaleStep_forMaximum_isRoundAndReachesIt(double largest, double step) {
        assertThat(BarPlot.step(largest)).isEqualTo(step);
    }
}
