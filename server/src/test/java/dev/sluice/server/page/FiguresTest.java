package dev.sluice.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class FiguresTest {

    @Test
    void part_hasOneUnit() {
        Map<String, Long> capacity = Map.of("vcore", 32_000L, "memory", 1L << 34, "gpu", 8L);
        Map<String, Long> used = Map.of("vcore", 1_500L, "memory", 1L << 29);
        assertThat(Figures.part("vcore", used, capacity)).isEqualTo("1.5 of 32 cores");
        assertThat(Figures.part("memory", used, capacity)).isEqualTo("512 MiB of 16 GiB");
        assertThat(Figures.part("gpu", used, capacity)).isEqualTo("0 of 8");
        assertThat(Figures.part("slots", used, capacity)).isEqualTo("–");
    }

    @Test
    void hours_haveTheUnitOfTheirType() {
        assertThat(Figures.hoursOf("vcore")).isEqualTo("core-hours");
        assertThat(Figures.hoursOf("gpu")).isEqualTo("gpu-hours");
        assertThat(Figures.hours("vcore", 12_345.678)).isEqualTo("12,346");
        assertThat(Figures.hours("gpu", 1.256)).isEqualTo("1.26");
        assertThat(Figures.hours("memory", 1L << 31)).isEqualTo("2 GiB-hours");
        assertThat(Figures.hours("gpu", 0)).isEqualTo("–");
    }
}
