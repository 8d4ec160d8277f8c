package dev.sluice.simulator.workload.lines;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InternCacheTest {

    private final InternCache<Integer, String> values = new InternCache<>(number -> "user" + number);

    @Test
    void value_requestedAgain_isSameObject() {
        assertThat(values.get(1)).isEqualTo("user1").isSameAs(values.get(1));
    }

    @Test
    void values_beyondMaximum_clearCache() {
        String first = values.get(0);
        for (int i = 1; i < InternCache.VALUES_MAX; i++) {
            assertThat(values.get(i)).isEqualTo("user" + i);
        }
        assertThat(values.get(0)).isSameAs(first);
        assertThat(values.get(-1)).isEqualTo("user-1");
        assertThat(values.get(0)).isEqualTo(first).isNotSameAs(first);
    }
}
