package dev.sluice.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class RefusalLimitTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final RefusalLimit limit = new RefusalLimit();

    @Test
    void refusals_ofCaller_areCountedByPeriod() {
        assertThat(limit.count("eve", START)).isZero();
        assertThat(limit.count("eve", START.plusSeconds(59))).isEqualTo(1);
        assertThat(limit.count("max", START)).isZero();
        assertThat(limit.count("eve", START.plusSeconds(60))).isZero();
    }

    @Test
    void callers_manyOthers_areForgotten() {
        limit.count("eve", START);
        for (int i = 0; i < RefusalLimit.CALLERS_MAX - 1; i++) {
            limit.count("u" + i, START);
        }
        assertThat(limit.count("eve", START)).isEqualTo(1);
        limit.count("another", START);
        assertThat(limit.count("eve", START)).isZero();
    }
}
