package dev.sluice.config.queues;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import dev.sluice.core.configuration.AccessList;
import dev.sluice.core.configuration.QueueConfiguration.ChildTemplate;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.resource.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the queue tree of a partition. */
final class QueueReader {

    /** The syntax of queue names. */
    static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_:#/@-]{1,64}");

    private static final int SHOWN_NAME_MAX = 64;

    private QueueReader() {}

    /** Returns the root queue of this partition, which is created if the file has none; null after a problem. */
    static @Nullable QueueDraft root(Section partition) {
        Field list = partition.require("queues", "no queues: add queues: with a list");
        if (list == null) {
            return null;
        }
        List<Field> fields = list.asList("queues");
        if (!list.isList()) {
            return null;
        }
        if (fields.size() == 1 && fields.get(0).isMap()) {
            Field name = fields.get(0).asMap("queues").get("name");
            if (name != null && QueueDraft.ROOT.equalsIgnoreCase(textOf(name))) {
                Section section = fields.get(0).asSection("a queue", QueueKeys.QUEUE);
                return section == null ? null : queue(section, QueueDraft.ROOT);
            }
        }
        return new QueueDraft(
                list,
                null,
                QueueDraft.ROOT,
                true,
                Resources.NONE,
                Resources.NONE,
                0,
                QueueProperties.DEFAULTS,
                "",
                "",
                new ArrayList<>(),
                null,
                children(list, QueueDraft.ROOT));
    }

    private static String nameOf(Section queue) {
        Field name = queue.get("name");
        return name == null ? "" : textOf(name);
    }

    private static String textOf(Field field) {
        return field.isList() || field.isMap() ? "" : String.valueOf(field.asText());
    }

    private static List<QueueDraft> children(Field list, String parentPath) {
        List<QueueDraft> children = new ArrayList<>();
        Map<String, Field> names = new HashMap<>();
        for (Field field : list.asList("queues")) {
            Section section = field.asSection("a queue", QueueKeys.QUEUE);
            if (section == null) {
                continue;
            }
            String name = nameOf(section).toLowerCase(Locale.ROOT);
            Field nameField = section.find("name");
            Field where = nameField == null ? field : nameField;
            checkName(where, nameField == null ? "" : nameOf(section), nameField);
            Field first = names.putIfAbsent(name, where);
            if (first != null && !name.isEmpty()) {
                where.problem("duplicate queue name " + Field.quoted(name) + " below " + parentPath
                        + ": the first is in line " + first.line()
                        + (Pattern.matches("[^A-Z]*", nameOf(section)) ? "" : "; names ignore upper and lower case"));
            }
            children.add(queue(section, parentPath + "." + shortened(name)));
        }
        return children;
    }

    private static String shortened(String name) {
        return name.length() <= SHOWN_NAME_MAX ? name : name.substring(0, SHOWN_NAME_MAX);
    }

    private static void checkName(Field where, String name, @Nullable Field nameField) {
        if (nameField != null && (nameField.isList() || nameField.isMap())) {
            nameField.asText();
        } else if (name.isEmpty()) {
            where.problem("a queue needs a name");
        } else if (name.length() > SHOWN_NAME_MAX) {
            where.problem("the name of a queue must have at most 64 characters, not " + name.length() + ": "
                    + Field.quoted(name));
        } else if (!NAME.matcher(name).matches()) {
            where.problem("the name of a queue must consist of letters, digits and - _ : # / @, not "
                    + Field.quoted(name) + (name.contains(".") ? "; nest queues instead of writing a dot" : ""));
        }
    }

    private static QueueDraft queue(Section section, String path) {
        boolean parent = section.read("parent", false, Field::asBoolean);
        boolean root = path.equals(QueueDraft.ROOT);
        Quotas quotas = quotas(section, root);
        Field queues = section.get("queues");
        List<QueueDraft> children = queues == null ? List.of() : children(queues, path);
        QueueProperties properties = section.read(
                "properties",
                QueueProperties.DEFAULTS,
                field -> root ? QueuePropertiesReader.readRoot(field) : QueuePropertiesReader.read(field));
        ChildTemplate template = section.readOrNull("childtemplate", QueueReader::childTemplate);
        Field templateField = section.get("childtemplate");
        if (template != null && templateField != null && !parent && children.isEmpty() && !root) {
            templateField.warning(
                    "this template has no effect: no queue can be created below a leaf; add parent: true");
        }
        QueueDraft draft = new QueueDraft(
                section.self(),
                section,
                path,
                parent,
                quotas.guaranteed,
                quotas.max,
                section.read("maxapplications", 0L, field -> field.asLong(0, Long.MAX_VALUE)),
                properties,
                acl(section, "submitacl"),
                acl(section, "adminacl"),
                new ArrayList<>(),
                template,
                children);
        draft.limits().addAll(LimitReader.read(section.find("limits"), draft));
        return draft;
    }

    private record Quotas(Resources guaranteed, Resources max) {}

    private static Quotas quotas(Section queue, boolean root) {
        Section resources =
                queue.readOrNull("resources", field -> field.asSection("the resources", QueueKeys.RESOURCE_QUOTAS));
        if (resources == null) {
            return new Quotas(Resources.NONE, Resources.NONE);
        }
        if (root) {
            for (String kind : QueueKeys.RESOURCE_QUOTAS.names()) {
                Field field = resources.get(kind);
                if (field != null) {
                    field.problem(
                            "the root queue cannot have " + kind + " resources: it has the capacity of the nodes");
                }
            }
            return new Quotas(Resources.NONE, Resources.NONE);
        }
        return new Quotas(
                resources.read("guaranteed", Resources.NONE, Field::asResources),
                resources.read("max", Resources.NONE, Field::asResources));
    }

    private static @Nullable ChildTemplate childTemplate(Field field) {
        Section section = field.asSection("a child template", QueueKeys.CHILD_TEMPLATE);
        if (section == null) {
            return null;
        }
        Quotas quotas = quotas(section, false);
        ChildTemplate template = new ChildTemplate(
                section.read("maxapplications", 0L, f -> f.asLong(0, Long.MAX_VALUE)),
                quotas.guaranteed,
                quotas.max,
                section.read("properties", QueueProperties.DEFAULTS, f -> QueuePropertiesReader.read(f)));
        if (!quotas.guaranteed.isWithin(quotas.max)) {
            field.warning("guaranteed resources of this template are greater than its max");
        }
        boolean empty = template.equals(new ChildTemplate(0, Resources.NONE, Resources.NONE, QueueProperties.DEFAULTS));
        return empty ? null : template;
    }

    /** Reads an access control list: users, a space, groups, with commas between names. */
    private static String acl(Section queue, String key) {
        Field field = queue.get(key);
        String acl = field == null ? null : field.asText();
        if (field == null || acl == null) {
            return "";
        }
        try {
            AccessList.parse(acl);
        } catch (IllegalArgumentException e) {
            field.problem(String.valueOf(e.getMessage()));
        }
        return acl;
    }
}
