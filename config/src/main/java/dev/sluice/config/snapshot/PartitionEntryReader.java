package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the list {@code settings} of a snapshot. */
final class PartitionEntryReader {

    private PartitionEntryReader() {}

    static List<PartitionEntry> read(@Nullable Field list, ReadContext context) {
        List<PartitionEntry> settings = new ArrayList<>();
        Map<String, Field> seen = new HashMap<>();
        if (list != null) {
            for (Field field : list.asList("settings")) {
                Section section = field.asSection("the settings of a partition", ClusterKeys.PARTITION_SETTINGS);
                if (section != null) {
                    settings.add(settings(section, field, context, seen));
                }
            }
        }
        return settings;
    }

    private static PartitionEntry settings(Section section, Field field, ReadContext context, Map<String, Field> seen) {
        String partition = context.partitionName(section);
        Field first = seen.putIfAbsent(partition, field);
        if (first != null) {
            field.problem("duplicate settings of partition " + partition + ": first in line " + first.line());
        }
        Long throttle = section.readOrNull("throttle", each -> each.asLong(0, Integer.MAX_VALUE));
        return new PartitionEntry(
                partition,
                section.readOrNull("seed", each -> each.asLong(Long.MIN_VALUE, Long.MAX_VALUE)),
                throttle == null ? null : throttle.intValue());
    }
}
