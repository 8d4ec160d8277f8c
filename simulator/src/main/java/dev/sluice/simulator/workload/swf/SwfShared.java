package dev.sluice.simulator.workload.swf;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What the jobs of a log have in common, each made once: names of users, groups, tags, tasks of so many cores.
 *
 * <p>A table that reaches {@link #KEPT_MAX} begins anew: a log with more users than that takes no more memory.
 */
final class SwfShared {

    /** The most entries of a table. */
    static final int KEPT_MAX = 20_000;

    private static final String TASK = "job";

    private final SwfHeader header;
    private final Map<Long, String> users = new HashMap<>();
    private final Map<Long, List<String>> groups = new HashMap<>();
    private final Map<Long, List<TaskSpec>> tasks = new HashMap<>();
    private final Map<NameKey, String> names = new HashMap<>();
    private final Map<TagsKey, SortedMap<String, String>> tags = new HashMap<>();

    private record NameKey(long user, long executable) {}

    private record TagsKey(long group, long executable, long queue, long partition) {}

    SwfShared(SwfHeader header) {
        this.header = header;
    }

    String user(long user) {
        return kept(users, user, number -> number < 0 ? ApplicationSpec.NOBODY : "user" + number);
    }

    List<String> groups(long group) {
        return kept(groups, group, number -> number < 0 ? List.of() : List.of("group" + number));
    }

    /** One task of so many processors. */
    List<TaskSpec> tasks(long processors) {
        return kept(
                tasks,
                processors,
                number -> List.of(
                        TaskSpec.single(TASK, Resources.of(ResourceTypes.VCORE, number * SwfWorkload.PROCESSOR))));
    }

    /** What the runs of this executable for this user share. */
    String name(long user, long executable) {
        return kept(names, new NameKey(user, executable), key -> user(key.user) + "-app" + key.executable);
    }

    SortedMap<String, String> tags(long group, long executable, long queue, long partition) {
        return kept(tags, new TagsKey(group, executable, queue, partition), this::makeTags);
    }

    private SortedMap<String, String> makeTags(TagsKey key) {
        SortedMap<String, String> made = new TreeMap<>();
        put(made, "group", key.group, Map.of());
        put(made, "queue", key.queue, header.queues());
        put(made, "partition", key.partition, header.partitions());
        if (key.executable >= 0) {
            made.put("application", "app" + key.executable);
        }
        return Collections.unmodifiableSortedMap(made);
    }

    private static void put(SortedMap<String, String> made, String kind, long number, Map<Long, String> names) {
        if (number >= 0) {
            String name = names.get(number);
            made.put(kind, name == null ? kind + number : name);
        }
    }

    private static <K, V> V kept(Map<K, V> table, K key, Function<K, V> make) {
        V known = table.get(key);
        if (known == null) {
            if (table.size() >= KEPT_MAX) {
                table.clear();
            }
            known = make.apply(key);
            table.put(key, known);
        }
        return known;
    }
}
