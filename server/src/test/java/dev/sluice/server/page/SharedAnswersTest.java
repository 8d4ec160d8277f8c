package dev.sluice.server.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class SharedAnswersTest {

    private static final Duration AGE_MAX = Duration.ofSeconds(30);

    private final AtomicLong version = new AtomicLong(1);
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger asked = new AtomicInteger();
    private final SharedAnswers answers = new SharedAnswers(version::get, nanos::get, AGE_MAX, took -> {});

    private Object ask(String key) {
        return answers.get(key, asked::incrementAndGet);
    }

    @Test
    void answer_ofSameVersion_isShared() {
        assertThat(ask("a")).isEqualTo(1);
        assertThat(ask("a")).isEqualTo(1);
        assertThat(ask("b")).isEqualTo(2);
    }

    @Test
    void answer_ofNewVersion_isAskedAgain() {
        ask("a");
        version.set(2);
        assertThat(ask("a")).isEqualTo(2);
    }

    @Test
    void answer_ofUnchangedState_expires() {
        ask("a");
        nanos.addAndGet(AGE_MAX.toNanos());
        assertThat(ask("a")).isEqualTo(1);
        nanos.addAndGet(1);
        assertThat(ask("a")).isEqualTo(2);
    }

    @Test
    void failure_isNotShared() {
        assertThatThrownBy(() -> answers.get("a", () -> {
                    throw new IllegalStateException("gone");
                }))
                .hasMessage("gone");
        assertThat(ask("a")).isEqualTo(1);
    }

    @Test
    void answers_beyondMaximum_areForgotten() {
        for (int i = 0; i <= SharedAnswers.ANSWERS_MAX; i++) {
            ask("key " + i);
        }
        int before = asked.get();
        ask("key 0");
        assertThat(asked).hasValue(before + 1);
        ask("key " + SharedAnswers.ANSWERS_MAX);
        assertThat(asked).hasValue(before + 1);
    }
}
