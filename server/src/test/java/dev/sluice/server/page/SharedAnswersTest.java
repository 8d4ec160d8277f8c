package dev.sluice.server.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class SharedAnswersTest {

    private static final Duration AGE_MAX = Duration.ofSeconds(30);
    private static final Duration STALE_MAX = Duration.ofMinutes(2);

    private final AtomicLong version = new AtomicLong(1);
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger asked = new AtomicInteger();
    private final Queue<Runnable> background = new ArrayDeque<>();
    private final SharedAnswers answers =
            new SharedAnswers(version::get, nanos::get, AGE_MAX, AGE_MAX, background::add, took -> {});
    private final SharedAnswers renewed =
            new SharedAnswers(version::get, nanos::get, AGE_MAX, STALE_MAX, background::add, took -> {});

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
    void staleAnswer_isReturned_whileTheNextIsAskedForOnce() {
        renewed.get("a", asked::incrementAndGet);
        nanos.addAndGet(STALE_MAX.toNanos());
        assertThat(renewed.get("a", asked::incrementAndGet)).isEqualTo(1);
        assertThat(renewed.get("a", asked::incrementAndGet)).isEqualTo(1);
        assertThat(background).hasSize(1);
        background.remove().run();
        assertThat(renewed.get("a", asked::incrementAndGet)).isEqualTo(2);
        nanos.addAndGet(AGE_MAX.toNanos());
        assertThat(renewed.get("a", asked::incrementAndGet)).isEqualTo(2);
        assertThat(background).isEmpty();
        nanos.addAndGet(1);
        assertThat(renewed.get("a", asked::incrementAndGet)).isEqualTo(2);
        assertThat(background).hasSize(1);
    }

    @Test
    void answerBeyondStale_isNotReturned() {
        renewed.get("a", asked::incrementAndGet);
        nanos.addAndGet(STALE_MAX.toNanos() + 1);
        assertThat(renewed.get("a", asked::incrementAndGet)).isEqualTo(2);
        assertThat(background).isEmpty();
    }

    @Test
    void failureInTheBackground_leavesTheOldAnswer_untilItIsTooOld() {
        renewed.get("a", asked::incrementAndGet);
        nanos.addAndGet(STALE_MAX.toNanos());
        for (int i = 0; i < 2; i++) {
            assertThat(renewed.get("a", SharedAnswersTest::fail)).isEqualTo(1);
            background.remove().run();
        }
        nanos.addAndGet(1);
        assertThatThrownBy(() -> renewed.get("a", SharedAnswersTest::fail)).hasMessage("gone");
    }

    private static Object fail() {
        throw new IllegalStateException("gone");
    }

    @Test
    void failure_isNotShared() {
        assertThatThrownBy(() -> answers.get("a", SharedAnswersTest::fail)).hasMessage("gone");
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
