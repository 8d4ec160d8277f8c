package dev.sluice.simulator.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.simulator.figures.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TimeSeriesSamplerTest {

    private static Series series(double divisor, double... values) {
        TimeSeriesSampler samples = new TimeSeriesSampler(1_000);
        TimeSeriesSampler.TimeSeries line = samples.newSeries();
        for (double value : values) {
            line.set(value);
            samples.sample(1);
        }
        return line.series(divisor);
    }

    @Test
    void series_withoutSamples_isEmpty() {
        TimeSeriesSampler.TimeSeries line = new TimeSeriesSampler(1_000).newSeries();

        assertThat(line.series(1).values()).isEmpty();
        assertThat(line.mean()).isZero();
        assertThat(line.max()).isZero();
    }

    @Test
    void series_fewSamples_hasOnePointEach() {
        Series series = series(2, 0, 4, 1);

        assertThat(series.values()).containsExactly(0.0, 2.0, 0.5);
        assertThat(series.axis().stepSeconds()).isEqualTo(1);
    }

    @Test
    void series_dividedByZero_isZero() {
        assertThat(series(0, 1, 2).values()).containsExactly(0.0, 0.0);
    }

    @Test
    void series_moreSamplesThanPoints_mergesPairs() {
        // 401 samples: 0, 1 … 400. Points of two samples each: 0.5, 2.5 … 398.5, and the last sample alone
        TimeSeriesSampler samples = new TimeSeriesSampler(1_000);
        TimeSeriesSampler.TimeSeries line = samples.newSeries();
        for (int i = 0; i <= TimeSeriesSampler.POINTS_MAX; i++) {
            line.set(i);
            samples.sample(1);
        }
        Series series = line.series(1);

        assertThat(series.axis().stepSeconds()).isEqualTo(2);
        assertThat(series.values()).hasSize(TimeSeriesSampler.POINTS_MAX / 2 + 1);
        assertThat(series.values().get(0)).isEqualTo(0.5);
        assertThat(series.values().get(199)).isEqualTo(398.5);
        assertThat(series.values().get(200)).isEqualTo(400);
        assertThat(line.mean()).isEqualTo(200);
        assertThat(line.max()).isEqualTo(400);
    }

    @Test
    void samples_ofLongGap_areTakenTogether() {
        // a year of seconds at 3, then a day at 1; 31,622,400 samples, 131,072 for each of 242 points
        long year = 365L * 86_400;
        long day = 86_400;
        TimeSeriesSampler samples = new TimeSeriesSampler(1_000);
        TimeSeriesSampler.TimeSeries line = samples.newSeries();
        line.set(3);
        samples.sample(year);
        line.set(1);
        samples.sample(day);
        Series series = line.series(1);
        double step = series.axis().stepSeconds();

        assertThat(samples.sampleCount()).isEqualTo(year + day);
        assertThat(step).isEqualTo(131_072);
        assertThat(series.values()).hasSize(242);
        assertThat(series.values().subList(0, 240)).containsOnly(3.0);
        assertThat(series.values().get(240)).isEqualTo(((year - 240 * step) * 3 + 241 * step - year) / step);
        assertThat(series.values().get(241)).isEqualTo(1.0);
        assertThat(line.mean()).isEqualTo((year * 3.0 + day) / (year + day));
    }

    @Test
    void series_startingLate_isZeroBefore() {
        TimeSeriesSampler samples = new TimeSeriesSampler(1_000);
        samples.sample(3);
        TimeSeriesSampler.TimeSeries late = samples.newSeries();
        late.set(2);
        samples.sample(1);

        assertThat(late.series(1).values()).containsExactly(0.0, 0.0, 0.0, 2.0);
        assertThat(late.mean()).isEqualTo(0.5);
    }

    @Test
    void samples_singleOrBatched_giveSameSeries() {
        SplittableRandom random = new SplittableRandom(1);
        TimeSeriesSampler oneByOne = new TimeSeriesSampler(10);
        TimeSeriesSampler atOnce = new TimeSeriesSampler(10);
        TimeSeriesSampler.TimeSeries one = oneByOne.newSeries();
        TimeSeriesSampler.TimeSeries many = atOnce.newSeries();
        List<Double> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            double value = random.nextInt(5);
            int times = random.nextInt(40);
            one.set(value);
            many.set(value);
            for (int j = 0; j < times; j++) {
                oneByOne.sample(1);
                all.add(value);
            }
            atOnce.sample(times);
        }

        assertThat(many.series(1)).isEqualTo(one.series(1));
        assertThat(many.max()).isEqualTo(one.max());
        int perPoint = (int) (one.series(1).axis().stepSeconds() / 0.01);
        List<Double> means = new ArrayList<>();
        for (int i = 0; i < all.size(); i += perPoint) {
            means.add(all.subList(i, Math.min(all.size(), i + perPoint)).stream()
                    .mapToDouble(value -> value)
                    .average()
                    .orElse(0));
        }
        assertThat(one.series(1).values()).hasSameSizeAs(means);
        for (int i = 0; i < means.size(); i++) {
            assertThat(one.series(1).values().get(i)).isEqualTo(means.get(i), within(1e-9));
        }
    }

    @Test
    void series_beyondMaximum_keepMeanAndMax() {
        TimeSeriesSampler samples = new TimeSeriesSampler(1_000);
        List<TimeSeriesSampler.TimeSeries> lines = new ArrayList<>();
        for (int i = 0; i <= TimeSeriesSampler.PLOTTED_MAX; i++) {
            TimeSeriesSampler.TimeSeries line = samples.newSeries();
            line.set(2);
            lines.add(line);
        }
        samples.sample(2);

        assertThat(lines.get(0).series(1).values()).containsExactly(2.0, 2.0);
        assertThat(lines.get(TimeSeriesSampler.PLOTTED_MAX).series(1).values()).containsExactly(0.0, 0.0);
        assertThat(lines.get(TimeSeriesSampler.PLOTTED_MAX).mean()).isEqualTo(2);
        assertThat(lines.get(TimeSeriesSampler.PLOTTED_MAX).max()).isEqualTo(2);
    }
}
