package dev.sluice.server.page;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A period up to now, divided into steps that begin at multiples of their length. */
public enum UsagePeriod {
    HOUR("the last hour", Duration.ofMinutes(5), 12),
    DAY("the last day", Duration.ofHours(1), 24),
    WEEK("the last week", Duration.ofHours(6), 28),
    MONTH("the last month", Duration.ofDays(1), 30);

    private final String label;
    private final Duration step;
    private final int steps;

    UsagePeriod(String label, Duration step, int steps) {
        this.label = label;
        this.step = step;
        this.steps = steps;
    }

    /** A step of a period. */
    record Step(Instant from, Instant to) {}

    /** Returns the period of this name, or the last hour. */
    static UsagePeriod named(@Nullable String name) {
        return Arrays.stream(values())
                .filter(each -> each.wireName().equals(name))
                .findFirst()
                .orElse(HOUR);
    }

    /** Returns its name in addresses. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns what it is called. */
    public String label() {
        return label;
    }

    /** Returns the length of a step. */
    public Duration step() {
        return step;
    }

    /** Returns the steps up to the one that contains an instant. */
    List<Step> steps(Instant now) {
        long length = step.toSeconds();
        long last = Math.floorDiv(now.getEpochSecond(), length);
        List<Step> all = new ArrayList<>();
        for (long i = last - steps + 1; i <= last; i++) {
            all.add(new Step(Instant.ofEpochSecond(i * length), Instant.ofEpochSecond((i + 1) * length)));
        }
        return all;
    }
}
