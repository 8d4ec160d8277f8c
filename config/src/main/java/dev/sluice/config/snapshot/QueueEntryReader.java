package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import dev.sluice.core.resource.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the list {@code queues} of a snapshot or a job file. */
final class QueueEntryReader {

    private QueueEntryReader() {}

    static List<QueueEntry> read(@Nullable Field list, ReadContext context) {
        List<QueueEntry> queues = new ArrayList<>();
        Map<String, Field> seen = new HashMap<>();
        if (list != null) {
            for (Field field : list.asList("queues")) {
                Section section = field.asSection(
                        context.isJobFile() ? "a queue of a job file" : "a queue of a snapshot",
                        ClusterKeys.QUEUE_USAGE);
                QueueEntry queue = section == null ? null : queue(section, context, seen);
                if (queue != null) {
                    queues.add(queue);
                }
            }
        }
        return queues;
    }

    private static @Nullable QueueEntry queue(Section section, ReadContext context, Map<String, Field> seen) {
        String partition = context.partitionName(section);
        Field pathField = section.require("path", "a queue needs a path, such as root.sandbox");
        String path = pathField == null ? null : pathField.asText();
        Double usagePriority = section.readOrNull("usagepriority", QueueEntryReader::usagePriority);
        Instant overThresholdSince = since("overthresholdsince", section, context);
        Instant overMaximumSince = since("overmaximumsince", section, context);
        QueueEntry.Quotas quotas = section.readOrNull("quotas", QueueEntryReader::quotas);
        if (quotas != null && context.isJobFile()) {
            warnWithoutEffect(section.get("quotas"), "quotas has no effect here: it is for snapshots");
            quotas = null;
        }
        if (path == null || pathField == null) {
            return null;
        }
        String lower = path.toLowerCase(Locale.ROOT);
        KnownPartition known = context.partition(partition);
        if (known != null) {
            known.checkExists(pathField, lower);
            warnWithoutEffect(section.get("usagepriority"), known.problemWithUsagePriority(lower));
            if (overThresholdSince != null) {
                warnWithoutEffect(section.get("overthresholdsince"), known.problemWithThreshold(lower));
            }
            if (overMaximumSince != null) {
                warnWithoutEffect(section.get("overmaximumsince"), known.problemWithMaximum(lower));
            }
            if (quotas != null) {
                warnWithoutEffect(section.get("quotas"), known.problemWithQuotas(lower));
            }
        }
        Field first = seen.putIfAbsent(partition + " " + lower, pathField);
        if (first != null) {
            pathField.problem("duplicate queue " + Field.quoted(lower) + ": first in line " + first.line());
        }
        return new QueueEntry(partition, lower, usagePriority, overThresholdSince, overMaximumSince, quotas);
    }

    private static QueueEntry.@Nullable Quotas quotas(Field field) {
        Section section = field.asSection("quotas of a queue", ClusterKeys.QUEUE_QUOTAS);
        return section == null
                ? null
                : new QueueEntry.Quotas(
                        section.read("guaranteed", Resources.NONE, Field::asResources),
                        section.read("max", Resources.NONE, Field::asResources),
                        section.read("maxapplications", 0L, each -> each.asLong(0, Long.MAX_VALUE)));
    }

    private static void warnWithoutEffect(@Nullable Field field, @Nullable String reason) {
        if (field != null && reason != null) {
            field.warning(reason);
        }
    }

    private static @Nullable Instant since(String key, Section section, ReadContext context) {
        Field field = section.get(key);
        if (field != null && context.isJobFile()) {
            field.warning(key + " has no effect here: it is for snapshots");
            return null;
        }
        return field == null ? null : context.pastInstant(field);
    }

    private static @Nullable Double usagePriority(Field field) {
        Double number = field.asDouble();
        if (number != null && number < 0) {
            field.problem("a usage priority must be 0 or more, not " + number);
            return null;
        }
        return number;
    }
}
