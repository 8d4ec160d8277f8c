package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import dev.sluice.core.application.Retries;
import dev.sluice.core.application.TaskSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads {@code retries} and {@code delays} of a task. */
final class RetriesReader {

    private RetriesReader() {}

    /** Reads a number of retries, or a section; null after a problem. */
    static @Nullable Retries read(Field field) {
        if (!field.isMap()) {
            Long times = field.asLong(0, Integer.MAX_VALUE);
            return times == null ? null : Retries.of(times.intValue());
        }
        Section section = field.asSection("retries", RetryKeys.RETRIES);
        if (section == null || section.require("times", "retries need a number, such as times: 3") == null) {
            return null;
        }
        int times = section.read("times", 1L, each -> each.asLong(1, Integer.MAX_VALUE))
                .intValue();
        Duration delay = section.read("delay", Duration.ZERO, RetriesReader::delay);
        Double given = section.readOrNull("backoff", RetriesReader::backoff);
        if (given != null && given != 1 && delay.isZero()) {
            Field place = section.get("backoff");
            (place == null ? section.self() : place)
                    .problem("backoff has no effect without a delay: add one, such as delay: 30s");
            return null;
        }
        return new Retries(
                times,
                delay,
                given == null ? 1 : given,
                section.read("exitcodes", List.of(), RetriesReader::exitCodes));
    }

    private static @Nullable Duration delay(Field field) {
        Duration delay = field.asDuration();
        if (delay != null && delay.compareTo(Retries.DELAY_MAX) > 0) {
            field.problem("a delay must be at most " + Retries.DELAY_MAX.toHours() + "h");
            return null;
        }
        return delay;
    }

    private static @Nullable Double backoff(Field field) {
        Double backoff = field.asDouble();
        if (backoff != null && (backoff < 1 || backoff > Retries.BACKOFF_MAX)) {
            field.problem("backoff must be from 1 to " + Retries.BACKOFF_MAX);
            return null;
        }
        return backoff;
    }

    private static @Nullable List<Integer> exitCodes(Field field) {
        List<Field> items = field.asList("exit codes");
        TreeSet<Integer> codes = new TreeSet<>();
        for (Field item : items) {
            Long code = item.asLong(1, Retries.EXIT_CODE_MAX);
            if (code != null && !codes.add(code.intValue())) {
                item.problem("duplicate exit code " + code);
            }
        }
        if (field.isList() && items.isEmpty()) {
            field.problem("no exit code is listed: remove exitcodes to retry after every failure");
        }
        return codes.isEmpty() ? null : List.copyOf(codes);
    }

    /** Reads which of these tasks, those in no part, run again later. */
    static List<TaskDelay> delays(Field field, TaskSpec spec, List<TaskPart> parts) {
        List<TaskDelay> delays = new ArrayList<>();
        for (Field each : field.asList("delays")) {
            Section section = each.asSection("a delay", RetryKeys.DELAY);
            Field until = section == null
                    ? null
                    : section.require("until", "a delay needs its end, such as until: 2026-01-01T12:00:30Z");
            Instant end = until == null ? null : until.asInstant();
            if (section == null || end == null) {
                continue;
            }
            int index = section.read("index", 0L, number -> number.asLong(0, spec.size() - 1L))
                    .intValue();
            if (!delays.isEmpty() && index <= delays.get(delays.size() - 1).index()) {
                each.problem("delays must be in the order of their tasks");
                continue;
            }
            if (parts.stream().anyMatch(part -> part.first() <= index && index < part.end())) {
                each.problem("task " + index + " is in a part: only pending tasks are delayed");
                continue;
            }
            delays.add(new TaskDelay(index, end));
        }
        return delays;
    }
}
