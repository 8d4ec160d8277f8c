package dev.sluice.simulator.workload.synthetic;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads a daily cycle: {@code {peak: 14h, ratio: 10}}. */
final class CycleReader {

    private static final Duration PEAK = Duration.ofHours(14);

    private CycleReader() {}

    /** The cycle; or null after a problem. */
    static @Nullable DailyCycle read(Field field) {
        Section section = field.asSection("a daily cycle", SyntheticKeys.DAILY_CYCLE);
        Field ratioField = section == null
                ? null
                : section.require(
                        "ratio",
                        "a daily cycle needs a ratio: how much more is submitted at its peak than at the quietest time");
        Double ratio = ratioField == null ? null : ratioField.asDouble();
        if (section == null || ratioField == null || ratio == null) {
            return null;
        }
        if (!(ratio >= 1 && ratio <= DailyCycle.RATIO_MAX)) {
            ratioField.problem("ratio is from 1, where day and night are alike, to " + (long) DailyCycle.RATIO_MAX
                    + ", not " + ratio);
            return null;
        }
        Field peakField = section.get("peak");
        Duration peak = peakField == null ? PEAK : peakField.asDuration();
        if (peakField != null && peak != null && peak.compareTo(Duration.ofDays(1)) >= 0) {
            peakField.problem("peak is a time of the day, from 0 to 24h: write it such as 14h");
            return null;
        }
        return peak == null ? null : new DailyCycle(peak, ratio);
    }
}
