package dev.sluice.server.page;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The mean amount of a resource type that was used, waited and was due in each step of a period, as a drawing of 1000
 * by 100. What waited is drawn above what was used, and cut off at twice the capacity.
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

    /**
     * The mean amounts from an instant on, in base units.
     *
     * @param amount what was used
     * @param waiting what pending tasks requested
     * @param due what was due; 0 if nothing was
     */
    public record Point(Instant from, long amount, long waiting, long due) {}

    /**
     * The bar of a step.
     *
     * @param waiting where the part that waited begins, from the top
     * @param waitingHeight the height of this part, above what was used
     * @param due where the mark of what was due is, from the top; empty if there is none
     */
    public record Bar(
            String x,
            String y,
            String width,
            String height,
            String waiting,
            String waitingHeight,
            String due,
            String label) {}

    static UsageChart of(String type, List<Point> points, long capacity) {
        long peak = points.stream().mapToLong(Point::amount).max().orElse(0);
        double top = top(points, peak, capacity);
        double width = 1000.0 / Math.max(1, points.size());
        List<Bar> bars = new ArrayList<>();
        for (Point point : points) {
            double used = 100 * point.amount() / top;
            double all = Math.min(100, 100 * (point.amount() + (double) point.waiting()) / top);
            bars.add(new Bar(
                    text(bars.size() * width + 1),
                    text(100 - used),
                    text(width - 2),
                    text(used),
                    text(100 - all),
                    text(all - used),
                    point.due() == 0 || point.due() > top ? "" : text(Math.min(99, 100 - 100 * point.due() / top)),
                    label(type, point)));
        }
        return new UsageChart(
                type, points, bars, capacity == 0 ? "" : text(100 - 100 * capacity / top), peak, capacity);
    }

    private static double top(List<Point> points, long peak, long capacity) {
        double all = points.stream()
                .mapToDouble(point -> point.amount() + (double) point.waiting())
                .max()
                .orElse(0);
        return Math.max(1, Math.max((double) Math.max(peak, capacity), Math.min(all, 2.0 * capacity)));
    }

    private static String label(String type, Point point) {
        return Figures.exact(point.from()) + ": " + Figures.amount(type, point.amount())
                + (point.waiting() == 0 ? "" : ", waiting " + Figures.amount(type, point.waiting()))
                + (point.due() == 0 ? "" : ", due " + Figures.amount(type, point.due()));
    }

    private static String text(double number) {
        return String.format(Locale.ROOT, "%.1f", number);
    }

    /** Returns the amount at the top of the drawing. */
    public long top() {
        return Math.round(top(points, peak, capacity));
    }

    /** Returns the largest amount that waited. */
    public long waitingPeak() {
        return points.stream().mapToLong(Point::waiting).max().orElse(0);
    }

    /** Returns what the drawing shows, in words. */
    public String label() {
        return type + ": at most " + Figures.amount(type, peak) + " of " + Figures.amount(type, capacity)
                + " were used on average in a step, and at most " + Figures.amount(type, waitingPeak()) + " waited";
    }
}
