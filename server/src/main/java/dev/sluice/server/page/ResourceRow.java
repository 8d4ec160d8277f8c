package dev.sluice.server.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A resource type of a table: amounts in base units.
 *
 * @param due what is due, or null if nothing says so
 * @param max the maximum, or null
 * @param total what there is
 */
public record ResourceRow(
        String type,
        long used,
        @Nullable Long due,
        @Nullable Long max,
        long total,
        long pending,
        Bar bar) {

    /** Returns the rows of all resource types that occur. */
    static List<ResourceRow> of(
            Map<String, Long> used,
            Map<String, Long> due,
            Map<String, Long> max,
            Map<String, Long> total,
            Map<String, Long> pending) {
        TreeSet<String> types = new TreeSet<>(total.keySet());
        types.addAll(used.keySet());
        types.addAll(pending.keySet());
        types.addAll(max.keySet());
        types.addAll(due.keySet());
        List<ResourceRow> rows = new ArrayList<>();
        for (String type : types) {
            long all = total.getOrDefault(type, 0L);
            long taken = used.getOrDefault(type, 0L);
            rows.add(new ResourceRow(
                    type,
                    taken,
                    due.get(type),
                    max.get(type),
                    all,
                    pending.getOrDefault(type, 0L),
                    Bar.of(type, taken, due.get(type), max.get(type), all)));
        }
        return rows;
    }
}
