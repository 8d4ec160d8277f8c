package dev.sluice.config.queues;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.resource.Resources;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A queue as it was read, with the places of what was written, before the checks that look at several queues at once.
 *
 * @param where the queue itself; of a root that nobody wrote, the list of queues
 * @param section the map that was written, or null for a root that nobody wrote
 * @param path such as {@code root.a}, in lower case
 * @param parentFlag whether {@code parent: true} was written
 * @param guaranteed what it is guaranteed
 * @param max the most it may use
 * @param maxApplications the most applications; 0: no limit
 * @param properties its properties
 * @param submitAcl who may submit
 * @param adminAcl who may administer
 * @param limits what users and groups may have in it; filled in after the draft was made
 * @param childTemplate what queues start with that are made below it
 * @param children the queues below it
 */
record QueueDraft(
        Field where,
        @Nullable Section section,
        String path,
        boolean parentFlag,
        Resources guaranteed,
        Resources max,
        long maxApplications,
        QueueProperties properties,
        String submitAcl,
        String adminAcl,
        List<LimitReader.LimitDraft> limits,
        QueueConfiguration.@Nullable ChildTemplate childTemplate,
        List<QueueDraft> children) {

    static final String ROOT = "root";

    String name() {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    boolean isRoot() {
        return path.equals(ROOT);
    }

    /** Whether it may only hold queues. */
    boolean isParent() {
        return parentFlag || !children.isEmpty() || isRoot();
    }

    /** The place of this key, or of the queue if the key is not there. */
    Field place(String key) {
        Field field = section == null ? null : section.find(key);
        return field == null ? where : field;
    }

    /** The place of the amount of this type under {@code resources}, or the nearest place above it that is there. */
    Field resourcePlace(String kind, String type) {
        return resourcesPlace(kind).typePlace(type);
    }

    /** The place of these amounts under {@code resources}, or the nearest place above it that is there. */
    Field resourcesPlace(String kind) {
        Field resources = place("resources");
        Field amounts = resources.isMap() ? resources.asMap("resources").get(kind) : null;
        return amounts == null ? resources : amounts;
    }

    /** The properties that were written with a value, in the order of the file. */
    Map<String, Field> writtenProperties() {
        return written(section == null ? null : section.find("properties"));
    }

    /** The values of these properties that are not empty, in the order of the file. */
    static Map<String, Field> written(@Nullable Field properties) {
        Map<String, Field> written = new LinkedHashMap<>();
        if (properties != null && properties.isMap()) {
            properties.asMap("properties").forEach((property, field) -> {
                if (!field.isNull() && !field.isList() && !field.isMap() && !"".equals(field.asText())) {
                    written.put(property, field);
                }
            });
        }
        return written;
    }

    /** The child of this name, in whatever case, or null. */
    @Nullable QueueDraft child(String name) {
        for (QueueDraft child : children) {
            if (child.name().equals(name.toLowerCase(Locale.ROOT))) {
                return child;
            }
        }
        return null;
    }

    QueueConfiguration build() {
        return new QueueConfiguration(
                name(),
                isParent(),
                guaranteed,
                max,
                maxApplications,
                properties,
                submitAcl,
                adminAcl,
                limits.stream().map(LimitReader.LimitDraft::limit).toList(),
                childTemplate,
                children.stream().map(QueueDraft::build).toList());
    }
}
