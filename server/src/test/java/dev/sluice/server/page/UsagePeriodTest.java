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
        List<UsageChart.Point> points = List.of(new UsageChart.Point(from, 0), new UsageChart.Point(from, 500));
        UsageChart chart = UsageChart.of("gpu", points, 1000);
        assertThat(chart.bars()).extracting(UsageChart.Bar::height).containsExactly("0.0", "50.0");
        assertThat(chart.bars()).extracting(UsageChart.Bar::x).containsExactly("1.0", "501.0");
        assertThat(chart.capacityLine()).isEqualTo("0.0");
        assertThat(UsageChart.of("gpu", points, 250).capacityLine()).isEqualTo("50.0");
        assertThat(UsageChart.of("gpu", points, 0).capacityLine()).isEmpty();
    }
}
