package dev.sluice.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class UsagePeriodTest {

    @Test
    void steps_upToNow_areAligned() {
        List<UsagePeriod.Step> steps = UsagePeriod.HOUR.steps(Instant.parse("2026-03-01T10:07:30Z"));
        assertThat(steps).hasSize(12);
        assertThat(steps.get(0).from()).isEqualTo("2026-03-01T09:10:00Z");
        assertThat(steps.get(11).from()).isEqualTo("2026-03-01T10:05:00Z");
        assertThat(steps.get(11).to()).isEqualTo("2026-03-01T10:10:00Z");
        assertThat(UsagePeriod.WEEK.steps(Instant.parse("2026-03-01T10:07:30Z")))
                .hasSize(28)
                .last()
                .extracting(UsagePeriod.Step::from)
                .isEqualTo(Instant.parse("2026-03-01T06:00:00Z"));
    }

    @Test
    void chart_ofAmounts_isScaledToCapacity() {
        Instant from = Instant.EPOCH;
        List<UsageChart.Point> points =
                List.of(new UsageChart.Point(from, 0, 0, 0), new UsageChart.Point(from, 500, 0, 0));
        UsageChart chart = UsageChart.of("gpu", points, 1000);
        assertThat(chart.bars()).extracting(UsageChart.Bar::height).containsExactly("0.0", "50.0");
        assertThat(chart.bars()).extracting(UsageChart.Bar::x).containsExactly("1.0", "501.0");
        assertThat(chart.capacityLine()).isEqualTo("0.0");
        assertThat(UsageChart.of("gpu", points, 250).capacityLine()).isEqualTo("50.0");
        assertThat(UsageChart.of("gpu", points, 0).capacityLine()).isEmpty();
    }

    /**
     * Capacity 1000: in the second step 500 were used and 1000 waited, in the third 5000, cut off at twice the
     * capacity.
     */
    @Test
    void chart_withDemand_stacksWhatWaited() {
        Instant from = Instant.EPOCH;
        UsageChart chart = UsageChart.of(
                "gpu",
                List.of(
                        new UsageChart.Point(from, 1000, 0, 250),
                        new UsageChart.Point(from, 500, 1000, 0),
                        new UsageChart.Point(from, 0, 5000, 3000)),
                1000);
        assertThat(chart.top()).isEqualTo(2000);
        assertThat(chart.bars()).extracting(UsageChart.Bar::height).containsExactly("50.0", "25.0", "0.0");
        assertThat(chart.bars()).extracting(UsageChart.Bar::waiting).containsExactly("50.0", "25.0", "0.0");
        assertThat(chart.bars()).extracting(UsageChart.Bar::waitingHeight).containsExactly("0.0", "50.0", "100.0");
        assertThat(chart.bars()).extracting(UsageChart.Bar::due).containsExactly("87.5", "", "");
        assertThat(chart.bars().get(1).label()).endsWith(": 500, waiting 1,000");
        assertThat(chart.waitingPeak()).isEqualTo(5000);
    }
}
