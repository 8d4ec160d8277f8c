package dev.sluice.simulator.workload.swf;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import dev.sluice.simulator.workload.lines.InternCache;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The values that jobs of a log share: names of users, groups and tags, and tasks with the same number of cores. */
final class SwfInternCache {

    private static final String TASK = "job";

    private final SwfHeader header;
    private final InternCache<Long, String> users =
            new InternCache<>(user -> user < 0 ? ApplicationSpec.NOBODY : "user" + user);
    private final InternCache<Long, List<String>> groups =
            new InternCache<>(group -> group < 0 ? List.of() : List.of("group" + group));
    private final InternCache<TasksKey, List<TaskSpec>> tasks = new InternCache<>(SwfInternCache::makeTasks);
    private final InternCache<NameKey, String> names = new InternCache<>(this::makeName);
    private final InternCache<TagsKey, SortedMap<String, String>> tags = new InternCache<>(this::makeTags);

    private record TasksKey(long processors, @Nullable Duration limit) {}

    private record NameKey(long user, long executable) {}

    private record TagsKey(long group, long executable, long queue, long partition) {}

    SwfInternCache(SwfHeader header) {
        this.header = header;
    }

    String user(long user) {
        return users.get(user);
    }

    List<String> groups(long group) {
        return groups.get(group);
    }

    /** Returns one task with this number of processors and this time limit, if any. */
    List<TaskSpec> tasks(long processors, @Nullable Duration limit) {
        return tasks.get(new TasksKey(processors, limit));
    }

    /**
     * Returns the name shared by the runs of this executable for this user, or by all runs for this user if the
     * executable is missing.
     */
    String name(long user, long executable) {
        return names.get(new NameKey(user, executable));
    }

    SortedMap<String, String> tags(long group, long executable, long queue, long partition) {
        return tags.get(new TagsKey(group, executable, queue, partition));
    }

    private static List<TaskSpec> makeTasks(TasksKey key) {
        TaskSpec task =
                TaskSpec.single(TASK, Resources.of(ResourceTypes.VCORE, key.processors * SwfWorkload.PROCESSOR));
        return List.of(
                key.limit == null ? task : task.withAttempts(task.attempts().withTimeout(key.limit)));
    }

    private String makeName(NameKey key) {
        return key.executable < 0 ? user(key.user) : user(key.user) + "-app" + key.executable;
    }

    private SortedMap<String, String> makeTags(TagsKey key) {
        SortedMap<String, String> tags = new TreeMap<>();
        put(tags, "group", key.group, Map.of());
        put(tags, "queue", key.queue, header.queues());
        put(tags, "partition", key.partition, header.partitions());
        if (key.executable >= 0) {
            tags.put("application", "app" + key.executable);
        }
        return Collections.unmodifiableSortedMap(tags);
    }

    private static void put(SortedMap<String, String> tags, String kind, long number, Map<Long, String> names) {
        if (number >= 0) {
            String name = names.get(number);
            tags.put(kind, name == null ? kind + number : name);
        }
    }
}
