package dev.sluice.simulator.workload.synthetic;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import dev.sluice.core.application.TaskSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the list under {@code users}. */
final class UserReader {

    private static final int NUMBER_LENGTH_MAX = 8;
    private static final double EXPONENT_MAX = 10;

    private UserReader() {}

    /** Returns the entries by name, in the order of the file; without a list, none. */
    static Map<String, UserEntry> read(@Nullable Field list) {
        Map<String, UserEntry> users = new LinkedHashMap<>();
        if (list == null) {
            users.put(UserEntry.NOBODY.name(), UserEntry.NOBODY);
            return users;
        }
        Map<String, Field> definitions = new LinkedHashMap<>();
        long total = 0;
        for (Field field : list.asList("users")) {
            Section section = field.asSection("a user", SyntheticKeys.USER);
            Field nameField = section == null ? null : section.require("name", "missing name of the user");
            String name = nameField == null
                    ? null
                    : nameField.asName("the name of a user", TaskSpec.NAME_LENGTH_MAX - NUMBER_LENGTH_MAX);
            if (section == null || nameField == null || name == null) {
                continue;
            }
            Field first = definitions.putIfAbsent(name, nameField);
            if (first != null) {
                nameField.problem("duplicate user " + Field.quoted(name) + ": first defined in line " + first.line());
                continue;
            }
            long before = total;
            total += section.read("count", 1L, each -> each.asLong(1, UserEntry.COUNT_MAX));
            if (before <= UserEntry.COUNT_MAX && total > UserEntry.COUNT_MAX) {
                nameField.problem("too many users: the maximum is " + UserEntry.COUNT_MAX + " in total");
            }
            users.put(name, user(section, name, total <= UserEntry.COUNT_MAX));
        }
        if (list.isList()) {
            WeightReader.check(
                    list, users.values().stream().map(UserEntry::weight).toList(), "user");
        }
        return users;
    }

    private static UserEntry user(Section section, String name, boolean few) {
        boolean several = section.get("count") != null;
        int count = several && few
                ? section.read("count", 1L, each -> each.asLong(1, UserEntry.COUNT_MAX))
                        .intValue()
                : TaskSpec.SINGLE;
        double exponent = 0;
        Field zipf = section.get("zipf");
        if (zipf != null) {
            Double number = zipf.asDouble();
            if (!several) {
                zipf.problem("zipf requires count: write count: too");
            } else if (number != null && !(number >= 0 && number <= EXPONENT_MAX)) {
                zipf.problem("zipf must be from 0 (equal weights) to " + (long) EXPONENT_MAX + ", not " + number);
            } else if (number != null) {
                exponent = number;
            }
        }
        return new UserEntry(
                name,
                count,
                Weights.zipf(Math.max(1, count), exponent),
                WeightReader.read(section),
                section.read(
                        "groups",
                        List.of(),
                        field -> field.asTexts("groups", each -> each.asName("a group", TaskSpec.NAME_LENGTH_MAX))),
                section.readOrNull("queue", UserReader::queue),
                section.read(
                        "tags", Collections.emptySortedMap(), field -> field.asTextMap("tags", Field::asStrictText)));
    }

    private static @Nullable String queue(Field field) {
        String path = field.asName("the path of a queue", TaskSpec.NAME_LENGTH_MAX * 16);
        return path == null ? null : path.toLowerCase(Locale.ROOT);
    }

    /** Returns the entries with the listed names, at least one of which must have a weight greater than 0. */
    static List<UserEntry> named(Field list, Map<String, UserEntry> users) {
        List<UserEntry> named = new ArrayList<>();
        List<Field> fields = list.asList("names of users");
        for (Field field : fields) {
            String name = field.asName("the name of a user", TaskSpec.NAME_LENGTH_MAX);
            UserEntry user = name == null ? null : users.get(name);
            if (user != null) {
                named.add(user);
            } else if (name != null) {
                field.unknown("user", name, users.keySet());
            }
        }
        if (list.isList() && named.size() == fields.size()) {
            WeightReader.check(list, named.stream().map(UserEntry::weight).toList(), "user");
        }
        return named;
    }
}
