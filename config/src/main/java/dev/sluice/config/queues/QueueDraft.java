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
 * A queue as read, with positions in the file, before the checks across several queues.
 *
 * @param where the queue; for a root that is not in the file, the list of queues
 * @param section the map in the file; null for a root that is not in the file
 * @param path the path in lower case, such as {@code root.a}
 * @param parentFlag whether the file has {@code parent: true}
 * @param guaranteed guaranteed resources
 * @param max maximum resources
 * @param maxApplications maximum number of applications; 0: no limit
 * @param properties the properties
 * @param submitAcl users and groups who may submit
 * @param adminAcl users and groups who may administer
 * @param limits limits of users and groups; added after construction
 * @param childTemplate settings of queues that placement rules create below it
 * @param children the child queues
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

    /** Returns whether the queue holds queues instead of applications. */
    boolean isParent() {
        return parentFlag || !children.isEmpty() || isRoot();
    }

    /** Returns the value of this key, for its position; the queue itself if the key is missing. */
    Field position(String key) {
        Field field = section == null ? null : section.find(key);
        return field == null ? where : field;
    }

    /**
     * Returns the amount of this type under {@code resources}, for its position; its nearest existing ancestor if it is
     * missing.
     */
    Field resourcePosition(String kind, String type) {
        return resourcesPosition(kind).typePosition(type);
    }

    /**
     * Returns these amounts under {@code resources}, for their position; their nearest existing ancestor if they are
     * missing.
     */
    Field resourcesPosition(String kind) {
        Field resources = position("resources");
        Field amounts = resources.isMap() ? resources.asMap("resources").get(kind) : null;
        return amounts == null ? resources : amounts;
    }

    /** Returns the properties with a value, in the order of the file. */
    Map<String, Field> writtenProperties() {
        return written(section == null ? null : section.find("properties"));
    }

    /** Returns the properties with a value, in the order of the file. */
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

    /** Returns the child of this name, ignoring case; null if there is none. */
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
