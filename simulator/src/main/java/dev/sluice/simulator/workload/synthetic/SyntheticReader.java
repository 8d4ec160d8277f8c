package dev.sluice.simulator.workload.synthetic;

import dev.sluice.config.field.DurationText;
import dev.sluice.config.field.Field;
import dev.sluice.config.field.ReferencePage;
import dev.sluice.config.field.Section;
import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problems;
import dev.sluice.config.queues.PartitionsReader;
import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.config.snapshot.NodeListReader;
import dev.sluice.config.yaml.YamlReader;
import dev.sluice.config.yaml.YamlValue;
import dev.sluice.core.configuration.PartitionConfiguration;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads files of synthetic workloads. */
final class SyntheticReader {

    private static final Distribution ONE = new Distribution.Constant(1);

    private SyntheticReader() {}

    static ParseResult<SyntheticWorkload> read(Path file) {
        Problems problems = new Problems(file.toString());
        Path name = file.getFileName();
        return problems.result(
                workload(YamlReader.read(file, problems), name == null ? file.toString() : name.toString(), problems));
    }

    static ParseResult<SyntheticWorkload> read(String fileName, String text) {
        Problems problems = new Problems(fileName);
        return problems.result(workload(YamlReader.read(text, problems), fileName, problems));
    }

    private static @Nullable SyntheticWorkload workload(@Nullable YamlValue document, String name, Problems problems) {
        Section section = document == null
                ? null
                : Field.root(document, problems, ReferencePage.WORKLOAD)
                        .asSection("a synthetic workload", SyntheticKeys.WORKLOAD_FILE);
        if (section == null) {
            return null;
        }
        int before = problems.count();
        Field partitionsField = section.get("partitions");
        List<PartitionConfiguration> partitions =
                partitionsField == null ? List.of() : PartitionsReader.read(partitionsField);
        // skips references into partitions that cannot be read, so that no problem is reported twice
        List<NodeEntry> nodes =
                NodeListReader.read(section.get("nodes"), problems.count() == before ? partitions : List.of());
        Field field = section.require(SyntheticWorkload.KEY, "missing section synthetic");
        Section synthetic = field == null ? null : field.asSection("the section synthetic", SyntheticKeys.SYNTHETIC);
        SyntheticSpec spec = synthetic == null ? null : spec(synthetic);
        return spec == null ? null : new SyntheticWorkload(name, spec, nodes, partitions);
    }

    private static @Nullable SyntheticSpec spec(Section section) {
        Map<String, UserEntry> users = UserReader.read(section.get("users"));
        Field arrivalsField = section.require(
                "arrivals", "missing arrivals, the arrival rate: write for example arrivals: {every: 1m}");
        Section arrivals = arrivalsField == null ? null : arrivalsField.asSection("arrivals", SyntheticKeys.ARRIVALS);
        Double gap = arrivals == null ? null : gap(arrivals);
        DailyCycle daily =
                arrivals == null ? DailyCycle.NONE : arrivals.read("daily", DailyCycle.NONE, CycleReader::read);
        Distribution burst = arrivals == null
                ? ONE
                : arrivals.read("burst", ONE, field -> DistributionReader.read(field, ValueKind.COUNT));
        Field kindsField = section.require("kinds", "missing kinds of work: write kinds: and a list");
        List<ApplicationKind> kinds =
                kindsField == null ? List.of() : new ApplicationKindReader(users, daily, burst).read(kindsField);
        long seed = section.read("seed", 0L, field -> field.asLong(Long.MIN_VALUE, Long.MAX_VALUE));
        Instant begin = section.read("begin", Instant.EPOCH, Field::asInstant);
        if (section.get("for") == null && section.get("applications") == null) {
            section.self().problem("missing end: write for: 24h, applications: 1000, or both");
        }
        Duration length = section.read("for", DurationText.DURATION_MAX, SyntheticReader::moreThanNothing);
        long applications = section.read(
                "applications",
                SyntheticSpec.APPLICATIONS_MAX,
                field -> field.asLong(1, SyntheticSpec.APPLICATIONS_MAX));
        return gap == null || kinds.isEmpty() ? null : new SyntheticSpec(seed, begin, length, applications, gap, kinds);
    }

    /** Returns the mean time between arrivals in nanoseconds. */
    private static @Nullable Double gap(Section arrivals) {
        Field every = arrivals.get("every");
        Field perHour = arrivals.get("perhour");
        if (every != null && perHour != null) {
            perHour.problem("every and perhour are mutually exclusive: remove one");
            return null;
        }
        if (perHour != null) {
            Double number = perHour.asDouble();
            if (number != null && !(number > 0)) {
                perHour.problem("perhour must be greater than 0, not " + number);
                return null;
            }
            return number == null
                    ? null
                    : slowEnough(perHour, Duration.ofHours(1).toNanos() / number);
        }
        if (every == null) {
            arrivals.self().problem("missing arrival rate: write every: 1m or perhour: 60");
            return null;
        }
        Duration mean = moreThanNothing(every);
        return mean == null ? null : slowEnough(every, (double) mean.toNanos());
    }

    private static @Nullable Double slowEnough(Field field, double gapNanos) {
        if (gapNanos < SyntheticSpec.GAP_NANOS_MIN) {
            field.problem("arrival rate too high: the maximum is one per microsecond");
            return null;
        }
        return gapNanos;
    }

    private static @Nullable Duration moreThanNothing(Field field) {
        Duration duration = field.asDuration();
        if (duration != null && duration.isZero()) {
            field.problem("duration must be greater than 0: write for example 90s");
            return null;
        }
        return duration;
    }
}
