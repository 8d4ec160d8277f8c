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
 * Maps the columns of a row to an application.
 *
 * @param id its id; null: {@code line} and the line number
 * @param name its name; null: the user
 * @param submitted the submission time
 * @param duration the run time of its task
 * @param user its user; null: none
 * @param groups the groups of the user
 * @param queue the requested queue; null: none
 * @param tags its tags
 * @param priority the priority of its task; null: 0
 * @param resources the resource requests of its task
 * @param nodeSelector the labels that nodes must have
 * @param exclusions the rows to exclude
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
        List<LabelSource> nodeSelector,
        List<ExclusionRule> exclusions) {

    ApplicationMapping {
        groups = List.copyOf(groups);
        tags = Collections.unmodifiableSortedMap(new TreeMap<>(tags));
        resources = List.copyOf(resources);
        nodeSelector = List.copyOf(nodeSelector);
        exclusions = List.copyOf(exclusions);
    }

    /** Reads the mapping in this section of the file; null after a fatal problem. */
    static @Nullable ApplicationMapping read(Section part, SourceReader sources) {
        Field submittedField = part.require(
                "submitted", "missing submitted, the submission time: write a column, or {column: …, format: …}");
        TimeSource submitted = submittedField == null ? null : sources.time(submittedField);
        Field durationField =
                part.require("duration", "missing duration, the run time: write a column, or {from: …, to: …}");
        DurationSource duration = durationField == null ? null : sources.duration(durationField);
        Field resourcesField = part.require(
                "resources", "missing resources, the requests of each task: write a map such as {vcore: cores}");
        List<AmountSource> resources = resourcesField == null ? List.of() : sources.amounts(resourcesField);
        if (resourcesField != null
                && resources.stream().anyMatch(each -> each.type().equals("slots"))) {
            resourcesField.problem("every task takes one slot: remove slots");
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
        List<LabelSource> nodeSelector = part.read("nodeSelector", List.of(), sources::labels);
        List<ExclusionRule> exclusions = part.read("exclude", List.of(), sources::exclusions);
        if (id != null && id.column() == TextSource.CONSTANT) {
            part.self().problem("id must be unique: it cannot be a constant");
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
                        nodeSelector,
                        exclusions);
    }
}
