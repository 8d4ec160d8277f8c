package dev.sluice.server.routes;

import dev.sluice.config.field.DurationText;
import dev.sluice.config.output.AmountsOutput;
import dev.sluice.config.output.Output;
import dev.sluice.config.output.Output.OutputList;
import dev.sluice.config.output.Output.OutputMap;
import dev.sluice.core.application.TaskRef;
import dev.sluice.runtime.journal.FinishedQuery;
import dev.sluice.runtime.journal.HistoryRecord.FinishedApplication;
import dev.sluice.runtime.journal.HistoryRecord.TaskEnd;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.TaskEndQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Converts ended applications to items of a job file. A task runs for as long as its last run did. Tasks of a group
 * that ran for different times become several items, on all of which its dependents depend.
 */
final class WorkloadApplications {

    /** Durations of larger groups are rounded, so that a group becomes at most a few hundred items. */
    private static final int EXACT_MAX = 100;

    /** The binary digits that are kept of rounded durations in milliseconds: exact to 1 %. */
    private static final int DIGITS = 7;

    private static final int PAGE = 1_000;

    private final JournalStore store;
    private final JsonMapper json;
    private final Set<String> nodes;

    /** @param nodes the names of the nodes of the workload; tasks that required another one may run on any */
    WorkloadApplications(JournalStore store, JsonMapper json, Set<String> nodes) {
        this.store = store;
        this.json = json;
        this.nodes = Set.copyOf(nodes);
    }

    /**
     * A converted application.
     *
     * @param map the item; null if none of its tasks ran, or if it ended again later
     * @param tasksLeftOut the number of tasks whose group is not recorded
     */
    record Converted(@Nullable OutputMap map, long tasksLeftOut) {}

    /** Equal tasks of a group: {@code count} of them ran for this time. */
    private record Part(String id, int count, Duration duration) {}

    /** Converts an application as of its last end: a retried one ended several times. */
    Converted convert(FinishedApplication application) throws StoreException {
        if (!isLatest(application, FinishedQuery.latest(application))) {
            return new Converted(null, 0);
        }
        JsonNode document = json.readTree(application.document());
        Map<String, SortedMap<Long, Integer>> runs = new LinkedHashMap<>();
        document.path("groupsOfTasks")
                .forEach(group -> runs.put(group.path("name").asString(), new TreeMap<>()));
        long leftOut = addRuns(application, runs);
        Map<String, List<Part>> parts = parts(runs);
        List<OutputMap> tasks = new ArrayList<>();
        document.path("groupsOfTasks")
                .forEach(group -> parts.getOrDefault(group.path("name").asString(), List.of())
                        .forEach(part -> tasks.add(task(group, part, parts))));
        if (tasks.isEmpty()) {
            return new Converted(null, leftOut);
        }
        OutputMap map =
                new OutputMap().put("id", Output.text(id(application))).put("name", Output.text(application.name()));
        WorkloadRoutes.putPartition(map, application.partition());
        if (!application.queue().isEmpty()) {
            map.put("queue", Output.text(application.queue()));
        }
        map.put("user", Output.text(application.user()));
        List<String> groups = new ArrayList<>();
        document.path("groups").forEach(group -> groups.add(group.asString()));
        if (!groups.isEmpty()) {
            map.put("groups", Output.texts(groups));
        }
        putTexts(map, "tags", document.path("tags"));
        map.put("submitted", Output.text(application.submitted().toString()));
        map.put("tasks", OutputList.of(tasks, task -> task));
        return new Converted(map, leftOut);
    }

    private boolean isLatest(FinishedApplication application, FinishedQuery query) throws StoreException {
        List<FinishedApplication> latest = store.finished(query);
        return latest.isEmpty() || latest.get(0).sequence() == application.sequence();
    }

    /** Returns the id; ids are reused, but must be unique in a file, so all but the last one get a suffix. */
    private String id(FinishedApplication application) throws StoreException {
        return isLatest(application, FinishedQuery.latest(application.partition(), application.id()))
                ? application.id()
                : application.id() + "." + application.sequence();
    }

    /** Counts the last runs of tasks by group and duration in milliseconds; returns how many have no known group. */
    private long addRuns(FinishedApplication application, Map<String, SortedMap<Long, Integer>> runs)
            throws StoreException {
        long leftOut = 0;
        long before = Long.MAX_VALUE;
        Map<String, BitSet> counted = new HashMap<>();
        List<TaskEnd> page;
        do {
            page = store.taskEnds(new TaskEndQuery(
                    application.partition(), application.id(), application.submitted(), null, List.of(), before, PAGE));
            for (TaskEnd end : page) {
                before = end.sequence();
                Instant placed = end.placed();
                if (placed != null && !end.again() && isFirst(end.task(), runs, counted)) {
                    Instant started = end.started() == null ? placed : end.started();
                    SortedMap<Long, Integer> group = runs.get(group(end.task(), runs));
                    if (group == null) {
                        leftOut++;
                    } else {
                        group.merge(Duration.between(started, end.ended()).toMillis(), 1, Integer::sum);
                    }
                }
            }
        } while (page.size() == PAGE);
        return leftOut;
    }

    /** Returns whether no run of this task has been counted yet; ends are read newest first. */
    private static boolean isFirst(String task, Map<String, ?> groups, Map<String, BitSet> counted) {
        String group = group(task, groups);
        int index = group.length() == task.length() ? 0 : TaskRef.parseIndex(task.substring(group.length() + 1));
        BitSet tasks = counted.computeIfAbsent(group, name -> new BitSet());
        boolean isFirst = !tasks.get(index);
        tasks.set(index);
        return isFirst;
    }

    private static String group(String task, Map<String, ?> groups) {
        int dash = task.lastIndexOf('-');
        return groups.containsKey(task) || dash < 1 || TaskRef.parseIndex(task.substring(dash + 1)) < 0
                ? task
                : task.substring(0, dash);
    }

    private static Map<String, List<Part>> parts(Map<String, SortedMap<Long, Integer>> runs) {
        Set<String> ids = new HashSet<>(runs.keySet());
        Map<String, List<Part>> parts = new LinkedHashMap<>();
        runs.forEach((name, exact) -> {
            SortedMap<Long, Integer> durations = rounded(exact);
            List<Part> ofGroup = new ArrayList<>();
            durations.forEach((millis, count) -> {
                String id = name;
                for (int i = ofGroup.size(); durations.size() > 1 && !ids.add(id); i++) {
                    id = name + "-" + i;
                }
                ofGroup.add(new Part(id, count, Duration.ofMillis(millis)));
            });
            parts.put(name, ofGroup);
        });
        return parts;
    }

    private static SortedMap<Long, Integer> rounded(SortedMap<Long, Integer> exact) {
        if (exact.values().stream().mapToLong(count -> count).sum() <= EXACT_MAX) {
            return exact;
        }
        SortedMap<Long, Integer> rounded = new TreeMap<>();
        exact.forEach((millis, count) -> {
            int dropped = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(millis) - DIGITS);
            long half = dropped == 0 ? 0 : 1L << (dropped - 1);
            rounded.merge((millis >>> dropped << dropped) + half, count, Integer::sum);
        });
        return rounded;
    }

    private OutputMap task(JsonNode group, Part part, Map<String, List<Part>> parts) {
        OutputMap map = new OutputMap().put("id", Output.text(part.id()));
        if (part.count() > 1) {
            map.put("count", Output.number(part.count()));
        }
        map.put("duration", Output.text(DurationText.format(part.duration())));
        Map<String, Long> amounts = new LinkedHashMap<>();
        group.path("resources")
                .properties()
                .forEach(entry -> amounts.put(entry.getKey(), entry.getValue().asLong()));
        if (!amounts.isEmpty()) {
            map.put("resources", AmountsOutput.of(WorkloadRoutes.resources(amounts)));
        }
        if (group.path("priority").asInt() != 0) {
            map.put("priority", Output.number(group.path("priority").asInt()));
        }
        // earlier releases recorded the selector as labels
        putTexts(map, "nodeSelector", group.path(group.has("labels") ? "labels" : "nodeSelector"));
        for (String key : List.of("affinity", "tolerations")) {
            if (group.has(key)) {
                map.put(key, output(group.path(key)));
            }
        }
        String node = group.path("requiredNode").asString(null);
        if (node != null && nodes.contains(node)) {
            map.put("requirednode", Output.text(node));
        }
        OutputMap after = new OutputMap();
        group.path("after")
                .properties()
                .forEach(entry -> parts.getOrDefault(entry.getKey(), List.of())
                        .forEach(awaited -> after.put(
                                awaited.id(), Output.text(entry.getValue().asString()))));
        if (!after.isEmpty()) {
            map.put("after", after);
        }
        return map;
    }

    /** Returns a recorded value as it is. */
    private static Output output(JsonNode value) {
        if (value.isObject()) {
            OutputMap map = new OutputMap();
            value.properties().forEach(entry -> map.put(entry.getKey(), output(entry.getValue())));
            return map;
        }
        if (value.isArray()) {
            OutputList list = new OutputList();
            value.forEach(item -> list.add(output(item)));
            return list;
        }
        return value.isNumber() ? Output.number(value.asLong()) : Output.text(value.asString());
    }

    private static void putTexts(OutputMap map, String key, JsonNode texts) {
        OutputMap values = new OutputMap();
        texts.properties()
                .forEach(entry ->
                        values.put(entry.getKey(), Output.text(entry.getValue().asString())));
        if (!values.isEmpty()) {
            map.put(key, values);
        }
    }
}
