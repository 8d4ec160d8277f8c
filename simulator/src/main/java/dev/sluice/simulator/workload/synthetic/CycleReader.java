package dev.sluice.simulator.workload.synthetic;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads a daily cycle: {@code {peak: 14h, ratio: 10}}. */
final class CycleReader {

    private static final Duration PEAK = Duration.ofHours(14);

    private CycleReader() {}

    /** Returns the cycle; null after a problem. */
    static @Nullable DailyCycle read(Field field) {
        Section section = field.asSection("a daily cycle", SyntheticKeys.DAILY_CYCLE);
        Field ratioField = section == null
                ? null
                : section.require("ratio", "missing ratio: the arrival rate at the peak ÷ the lowest rate");
        Double ratio = ratioField == null ? null : ratioField.asDouble();
        if (section == null || ratioField == null || ratio == null) {
            return null;
        }
        if (!(ratio >= 1 && ratio <= DailyCycle.RATIO_MAX)) {
            ratioField.problem(
                    "ratio must be from 1 (no daily cycle) to " + (long) DailyCycle.RATIO_MAX + ", not " + ratio);
            return null;
        }
        Field peakField = section.get("peak");
        Duration peak = peakField == null ? PEAK : peakField.asDuration();
        if (peakField != null && peak != null && peak.compareTo(Duration.ofDays(1)) >= 0) {
            peakField.problem("peak must be a time of day before 24h: write for example 14h");
            return null;
        }
        return peak == null ? null : new DailyCycle(peak, ratio);
    }
}
