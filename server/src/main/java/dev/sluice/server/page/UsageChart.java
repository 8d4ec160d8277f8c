package dev.sluice.server.page;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The mean amount of a resource type that was used in each step of a period, as a drawing of 1000 by 100.
 *
 * @param type the resource type
 * @param points the amounts
 * @param bars the drawing
 * @param capacityLine where the capacity is, from the top; empty if there is none
 * @param peak the largest amount
 * @param capacity the capacity of now
 */
public record UsageChart(
        String type, List<Point> points, List<Bar> bars, String capacityLine, long peak, long capacity) {

    static final Comparator<UsageChart> FULLEST_FIRST = Comparator.comparing(
                    (UsageChart chart) -> chart.peak() / (double) Math.max(1, chart.capacity()))
            .reversed()
            .thenComparing(UsageChart::type);

    /** The mean amount from an instant on, in base units. */
    public record Point(Instant from, long amount) {}

    /** The bar of a step. */
    public record Bar(String x, String y, String width, String height, String label) {}

    static UsageChart of(String type, List<Point> points, long capacity) {
        long peak = points.stream().mapToLong(Point::amount).max().orElse(0);
        double top = Math.max(1, Math.max(peak, capacity));
        double width = 1000.0 / Math.max(1, points.size());
        List<Bar> bars = new ArrayList<>();
        for (Point point : points) {
            double height = 100 * point.amount() / top;
            bars.add(new Bar(
                    text(bars.size() * width + 1),
                    text(100 - height),
                    text(width - 2),
                    text(height),
                    Figures.exact(point.from()) + ": " + Figures.amount(type, point.amount())));
        }
        return new UsageChart(
                type, points, bars, capacity == 0 ? "" : text(100 - 100 * capacity / top), peak, capacity);
    }

    private static String text(double number) {
        return String.format(Locale.ROOT, "%.1f", number);
    }

    /** Returns the amount at the top of the drawing. */
    public long top() {
        return Math.max(peak, capacity);
    }

    /** Returns what the drawing shows, in words. */
    public String label() {
        return type + ": at most " + Figures.amount(type, peak) + " of " + Figures.amount(type, capacity)
                + " were used on average in a step";
    }
}
