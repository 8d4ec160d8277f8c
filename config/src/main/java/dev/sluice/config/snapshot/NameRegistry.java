package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.problem.SpellingHints;
import dev.sluice.core.application.TaskSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Names, each of which may stand for many: {@code w} with a count of 3 is {@code w-0}, {@code w-1} and {@code w-2}.
 * Names are not expanded: a million of them cost as much as one.
 */
final class NameRegistry {

    private record Group(int count, Field where) {}

    private record Indexed(String base, int index) {}

    private final Map<String, Field> singles = new LinkedHashMap<>();
    private final Map<String, Group> groups = new LinkedHashMap<>();
    private final Map<String, Integer> smallestIndexOfSingles = new HashMap<>();

    /** A name that already exists, with its position. */
    record NameConflict(String name, Field where) {}

    /** Adds a name with its count; returns an existing name that it conflicts with, or null. */
    @Nullable NameConflict add(String name, int count, Field where) {
        NameConflict conflict = count == TaskSpec.SINGLE ? conflictOfSingle(name) : conflictOfGroup(name, count);
        if (conflict == null) {
            put(name, count, where);
        }
        return conflict;
    }

    /** Adds a name like {@link #add}; a single name must also differ from those of groups. */
    @Nullable NameConflict addDistinct(String name, int count, Field where) {
        NameConflict conflict = count == TaskSpec.SINGLE ? conflictOfSingle(name) : conflictOfGroup(name, count);
        if (conflict != null) {
            return conflict;
        }
        Group group = count == TaskSpec.SINGLE ? groups.get(name) : null;
        Field same = group != null ? group.where : count == TaskSpec.SINGLE ? null : singles.get(name);
        if (same != null) {
            return new NameConflict(name, same);
        }
        put(name, count, where);
        return null;
    }

    private void put(String name, int count, Field where) {
        if (count != TaskSpec.SINGLE) {
            groups.put(name, new Group(count, where));
            return;
        }
        singles.put(name, where);
        Indexed indexed = indexed(name);
        if (indexed != null) {
            smallestIndexOfSingles.merge(indexed.base, indexed.index, Math::min);
        }
    }

    private @Nullable NameConflict conflictOfSingle(String name) {
        Field same = singles.get(name);
        if (same != null) {
            return new NameConflict(name, same);
        }
        Indexed indexed = indexed(name);
        Group group = indexed == null ? null : groups.get(indexed.base);
        return group == null || indexed == null || indexed.index >= group.count
                ? null
                : new NameConflict(name, group.where);
    }

    private @Nullable NameConflict conflictOfGroup(String name, int count) {
        Group same = groups.get(name);
        if (same != null) {
            return new NameConflict(name + "-0", same.where);
        }
        Integer index = smallestIndexOfSingles.get(name);
        Field single = index == null || index >= count ? null : singles.get(name + "-" + index);
        return single == null ? null : new NameConflict(name + "-" + index, single);
    }

    boolean isEmpty() {
        return singles.isEmpty() && groups.isEmpty();
    }

    /** Returns whether exactly this name exists. */
    boolean contains(String name) {
        return conflictOfSingle(name) != null;
    }

    /** Returns the end of a message about an unknown name: the name that was probably meant. */
    String hint(String name) {
        Indexed indexed = indexed(name);
        String base = groups.containsKey(name) ? name : indexed == null ? null : indexed.base;
        Group group = base == null ? null : groups.get(base);
        if (group != null) {
            return ": with a count of " + group.count + ", " + Field.quoted(String.valueOf(base)) + " is " + base + "-0"
                    + (group.count == 1 ? "" : " to " + base + "-" + (group.count - 1));
        }
        List<String> names = new ArrayList<>(singles.keySet());
        groups.keySet().forEach(each -> names.add(each + "-0"));
        return SpellingHints.hint(name, names);
    }

    /** Returns the base and the index of a name that ends like a counted one; null for any other name. */
    private static @Nullable Indexed indexed(String name) {
        int dash = name.lastIndexOf('-');
        int digits = name.length() - dash - 1;
        if (dash < 0 || digits == 0 || digits > 8 || (digits > 1 && name.charAt(dash + 1) == '0')) {
            return null;
        }
        int index = 0;
        for (int i = dash + 1; i < name.length(); i++) {
            char digit = name.charAt(i);
            if (digit < '0' || digit > '9') {
                return null;
            }
            index = index * 10 + digit - '0';
        }
        return new Indexed(name.substring(0, dash), index);
    }
}
