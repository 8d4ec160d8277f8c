package dev.sluice.simulator.measure;

import dev.sluice.simulator.figures.Series;
import dev.sluice.simulator.figures.TimeAxis;
import java.util.ArrayList;
import java.util.List;

/**
 * Means over time of samples taken at equal intervals. A series has at most {@link #POINTS_MAX} points: when they are
 * used up, adjacent points are merged in pairs.
 */
final class TimeSeriesSampler {

    /** The maximum number of points of a series. */
    static final int POINTS_MAX = 400;

    /** The maximum number of series that keep their points; further series have only a mean and a maximum. */
    static final int PLOTTED_MAX = 20_000;

    private final long intervalMillis;
    private final List<TimeSeries> allSeries = new ArrayList<>();
    private long sampleCount;
    private long perPoint = 1;
    private int plotted;

    TimeSeriesSampler(long intervalMillis) {
        this.intervalMillis = intervalMillis;
    }

    /** One quantity over time. */
    final class TimeSeries {

        private double[] sums = {};
        private double value;
        private double sum;
        private double max;

        private TimeSeries() {}

        /** Sets the current value. */
        void set(double newValue) {
            value = newValue;
        }

        /** Returns the mean of all samples; 0 without samples. */
        double mean() {
            return sampleCount == 0 ? 0 : sum / sampleCount;
        }

        /** Returns the maximum of all samples. */
        double max() {
            return max;
        }

        /** Returns the means, divided by this. */
        Series series(double divisor) {
            int points = (int) ((sampleCount + perPoint - 1) / perPoint);
            List<Double> values = new ArrayList<>(points);
            for (int i = 0; i < points; i++) {
                long samples = Math.min(perPoint, sampleCount - i * perPoint);
                values.add(divisor == 0 || sums.length == 0 ? 0 : sums[i] / samples / divisor);
            }
            return new Series(new TimeAxis(intervalMillis * perPoint / 1000.0, points), values);
        }

        private void add(int point, long samples) {
            if (value != 0 && sums.length == 0 && plotted < PLOTTED_MAX) {
                sums = new double[POINTS_MAX];
                plotted++;
            }
            if (sums.length > 0) {
                sums[point] += value * samples;
            }
        }

        private void fold() {
            for (int i = 0; i < sums.length; i++) {
                sums[i] = 2 * i < POINTS_MAX ? sums[2 * i] + sums[2 * i + 1] : 0;
            }
        }
    }

    /** Returns a new series, which was 0 so far. */
    TimeSeries newSeries() {
        TimeSeries series = new TimeSeries();
        allSeries.add(series);
        return series;
    }

    /** Returns the number of samples taken. */
    long sampleCount() {
        return sampleCount;
    }

    /** Takes this many samples of the current values. */
    void sample(long count) {
        long left = count;
        while (left > 0) {
            if (sampleCount == POINTS_MAX * perPoint) {
                allSeries.forEach(TimeSeries::fold);
                perPoint *= 2;
            }
            int point = (int) (sampleCount / perPoint);
            long here = Math.min(left, (point + 1) * perPoint - sampleCount);
            for (TimeSeries series : allSeries) {
                series.add(point, here);
            }
            sampleCount += here;
            left -= here;
        }
        for (TimeSeries series : allSeries) {
            series.sum += series.value * count;
            series.max = count > 0 ? Math.max(series.max, series.value) : series.max;
        }
    }
}
