package dev.sluice.simulator.workload.csv;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a row that tells of an application.
 *
 * @param id its id; null: {@code line} and the number of the line
 * @param name its name; null: the user
 * @param submitted when it is submitted
 * @param duration how long its task runs
 * @param user its user; null: nobody
 * @param groups the user's groups
 * @param queue the queue asked for; null: none
 * @param tags its tags
 * @param priority the priority of its task; null: 0
 * @param resources what its task takes
 * @param labels what the labels of a node must say
 * @param exclusions which rows are left out
 */
record ApplicationMapping(
        @Nullable TextSource id,
        @Nullable TextSource name,
        TimeSource submitted,
        DurationSource duration,
        @Nullable TextSource user,
        List<TextSource> groups,
        @Nullable TextSource queue,
        SortedMap<String, TextSource> tags,
        @Nullable TextSource priority,
        List<AmountSource> resources,
        List<LabelSource> labels,
        List<ExclusionRule> exclusions) {

    ApplicationMapping {
        groups = List.copyOf(groups);
        tags = Collections.unmodifiableSortedMap(new TreeMap<>(tags));
        resources = List.copyOf(resources);
        labels = List.copyOf(labels);
        exclusions = List.copyOf(exclusions);
    }

    /** The mapping in this part of the file; null after a problem that leaves none. */
    static @Nullable ApplicationMapping read(Section part, SourceReader sources) {
        Field submittedField = part.require(
                "submitted", "when are they submitted? write submitted: and a column, or {column: …, format: …}");
        TimeSource submitted = submittedField == null ? null : sources.time(submittedField);
        Field durationField =
                part.require("duration", "how long do they run? write duration: and a column, or {from: …, to: …}");
        DurationSource duration = durationField == null ? null : sources.duration(durationField);
        Field resourcesField =
                part.require("resources", "what do they take? write resources: and a map such as {vcore: cores}");
        List<AmountSource> resources = resourcesField == null ? List.of() : sources.amounts(resourcesField);
        if (resourcesField != null
                && resources.stream().anyMatch(each -> each.type().equals("slots"))) {
            resourcesField.problem("every task takes one slot: leave slots out");
        }
        List<TextSource> groups = new ArrayList<>();
        Field groupsField = part.get("groups");
        for (Field each : groupsField == null ? List.<Field>of() : groupsField.asList("columns")) {
            TextSource group = sources.text(each);
            if (group != null) {
                groups.add(group);
            }
        }
        TextSource id = part.readOrNull("id", sources::text);
        TextSource name = part.readOrNull("name", sources::text);
        TextSource user = part.readOrNull("user", sources::text);
        TextSource queue = part.readOrNull("queue", sources::text);
        TextSource priority = part.readOrNull("priority", sources::text);
        SortedMap<String, TextSource> tags =
                part.read("tags", Collections.emptySortedMap(), field -> sources.texts(field, "tags and columns"));
        List<LabelSource> labels = part.read("labels", List.of(), sources::labels);
        List<ExclusionRule> exclusions = part.read("exclude", List.of(), sources::exclusions);
        if (id != null && id.column() == TextSource.CONSTANT) {
            part.self().problem("an id is there once: it cannot be the same in every row");
        }
        return submitted == null || duration == null
                ? null
                : new ApplicationMapping(
                        id,
                        name,
                        submitted,
                        duration,
                        user,
                        groups,
                        queue,
                        tags,
                        priority,
                        resources,
                        labels,
                        exclusions);
    }
}
