package dev.sluice.benchmarks.table;

import dev.sluice.benchmarks.rounds.Quantiles;
import java.util.List;
import java.util.Locale;

/**
 * A horizontal bar chart with error bars, as self-contained SVG.
 *
 * @param title the title
 * @param subtitle how to read the chart, and where it was measured
 * @param groups the groups of bars, from the top
 */
record BarPlot(String title, String subtitle, List<Group> groups) {

    private static final int WIDTH = 960;
    private static final int LEFT = 190;
    private static final int RIGHT = 110;
    private static final int TOP = 74;
    private static final int BAR = 24;
    private static final int HEADING = 34;
    private static final int BOTTOM = 40;
    private static final int SCALE_STEPS_MAX = 5;

    /**
     * A bar of the length of the median, with an error bar from p10 to p90.
     *
     * @param label the label
     */
    record Bar(String label, Quantiles value) {}

    /**
     * A group of bars.
     *
     * @param color an SVG color
     */
    record Group(String heading, String color, List<Bar> bars) {}

    /** Returns the chart as SVG. */
    String svg() {
        double largest = groups.stream()
                .flatMap(group -> group.bars.stream())
                .mapToDouble(bar -> bar.value.high())
                .max()
                .orElse(1);
        double step = step(largest);
        double end = step * Math.max(1, Math.ceil(largest / step));
        int height = TOP
                + BOTTOM
                + groups.stream()
                        .mapToInt(group -> HEADING + BAR * group.bars.size())
                        .sum();
        StringBuilder svg = new StringBuilder();
        line(
                svg,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" font-family=\"sans-serif\" font-size=\"14\">",
                WIDTH,
                height);
        line(svg, "<title>%s</title>", escape(title));
        line(svg, "<desc>%s</desc>", escape(subtitle));
        line(svg, "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>");
        line(
                svg,
                "<text x=\"16\" y=\"28\" font-size=\"18\" font-weight=\"bold\" fill=\"#222\">%s</text>",
                escape(title));
        line(svg, "<text x=\"16\" y=\"50\" font-size=\"12\" fill=\"#555\">%s</text>", escape(subtitle));
        scale(svg, step, end, height);
        int y = TOP;
        for (Group group : groups) {
            line(
                    svg,
                    "<text x=\"16\" y=\"%d\" font-weight=\"bold\" fill=\"#222\">%s</text>",
                    y + 22,
                    escape(group.heading));
            y += HEADING;
            for (Bar bar : group.bars) {
                bar(svg, bar, group.color, y, end);
                y += BAR;
            }
        }
        svg.append("</svg>\n");
        return svg.toString();
    }

    private static void scale(StringBuilder svg, double step, double end, int height) {
        long steps = Math.round(end / step);
        for (int i = 0; i <= steps; i++) {
            double x = x(i * step, end);
            line(
                    svg,
                    "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#dddddd\"/>",
                    x,
                    TOP,
                    x,
                    height - BOTTOM + 4);
            line(
                    svg,
                    "<text x=\"%.1f\" y=\"%d\" font-size=\"12\" text-anchor=\"middle\" fill=\"#555\">%s</text>",
                    x,
                    height - BOTTOM + 22,
                    Figures.format(i * step));
        }
    }

    private static void bar(StringBuilder svg, Bar bar, String color, int top, double end) {
        double middle = top + BAR / 2.0;
        double low = x(bar.value.low(), end);
        double high = x(bar.value.high(), end);
        line(
                svg,
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" fill=\"#222\">%s</text>",
                LEFT - 8,
                middle + 5,
                escape(bar.label));
        line(
                svg,
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>",
                LEFT,
                top + 3,
                x(bar.value.median(), end) - LEFT,
                BAR - 6,
                escape(color));
        line(
                svg,
                "<path d=\"M%.1f %.1fH%.1fM%.1f %.1fv8M%.1f %.1fv8\" stroke=\"#222222\" stroke-width=\"1.5\" fill=\"none\"/>",
                low,
                middle,
                high,
                low,
                middle - 4,
                high,
                middle - 4);
        line(
                svg,
                "<text x=\"%.1f\" y=\"%.1f\" font-size=\"12\" fill=\"#222\">%s</text>",
                high + 8,
                middle + 4,
                Figures.format(bar.value.median()));
    }

    /**
     * Returns the distance between two grid lines: 1, 2, 2.5 or 5 times a power of ten, so that the grid includes the
     * largest value.
     */
    static double step(double largest) {
        double minimum = largest > 0 ? largest / SCALE_STEPS_MAX : 1;
        double power = Math.pow(10, Math.floor(Math.log10(minimum)));
        for (double factor : new double[] {1, 2, 2.5, 5}) {
            if (factor * power >= minimum) {
                return factor * power;
            }
        }
        return 10 * power;
    }

    private static double x(double value, double end) {
        return LEFT + value / end * (WIDTH - LEFT - RIGHT);
    }

    private static void line(StringBuilder svg, String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    /** Escapes text for XML; characters that XML does not allow become replacement characters. */
    static String escape(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.appendCodePoint(isXml(c) ? c : '\uFFFD');
            }
        });
        return escaped.toString();
    }

    private static boolean isXml(int c) {
        return c == '\t'
                || c == '\n'
                || c == '\r'
                || (c >= 0x20 && c < 0xD800)
                || (c > 0xDFFF && c < 0xFFFE)
                || c > 0xFFFF;
    }
}
