package dev.sluice.core.testing;

import dev.sluice.core.application.TaskKind;
import dev.sluice.core.state.SchedulerState;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares two states by all fields, including private ones, so that no new field is forgotten: objects must have equal
 * fields and equal relations, ordered collections the same order, and numbers must be equal to the last bit.
 *
 * <p>Permitted differences: {@link #NOT_STATE}, unused capacity of arrays, and an empty collection in place of null.
 */
final class StateComparison {

    /** Fields that are derived from others, or that record changes since the last query. */
    private static final Set<String> NOT_STATE = Set.of(
            "Application.touched",
            "TaskGroup.touched",
            "Node.touched",
            "Partition.changes",
            "Nodes.changes",
            "Demand.anyUnpreemptible",
            "Demand.changes",
            "Demand.now",
            "Applications.changes",
            "Tasks.changes",
            "SchedulerState.latest",
            "Usage.coresPerUnit",
            "TaskProgress.name",
            "TaskProgress.runs",
            "Runs.mean",
            "Several.kinds",
            "Several.resources",
            "Names.table",
            "IndexAllocator.free");

    /** A set whose order is irrelevant, since its elements are processed independently. */
    private static final String UNORDERED = ".counted";

    private final Deque<Pair> left = new ArrayDeque<>();
    private final IdentityHashMap<Object, Object> counterparts = new IdentityHashMap<>();
    private final IdentityHashMap<Object, Object> originals = new IdentityHashMap<>();
    private final Map<Class<?>, List<Field>> fields = new HashMap<>();

    /** Two values to compare, the pair that contains them, and their position in it. */
    private record Pair(
            @Nullable Object actual,
            @Nullable Object expected,
            @Nullable Pair of,
            String place) {

        /** Creates the pair of these values. */
        Pair held(@Nullable Object actualPart, @Nullable Object expectedPart, String at) {
            return new Pair(actualPart, expectedPart, this, at);
        }

        void same(String what, @Nullable Object one, @Nullable Object other) {
            if (!Objects.equals(one, other)) {
                throw new AssertionError(this + what + " is " + one + " but should be " + other);
            }
        }

        /** Returns the path to these values. */
        @Override
        public String toString() {
            Deque<Pair> way = new ArrayDeque<>();
            for (Pair pair = this; pair != null; pair = pair.of) {
                way.push(pair);
            }
            return way.stream().map(Pair::step).collect(Collectors.joining());
        }

        private String step() {
            String name = actual != null && isOfState(actual) ? String.valueOf(actual) : "@";
            return place + (name.contains("@") ? "" : "(" + name + ")");
        }
    }

    private StateComparison() {}

    /** Throws {@link AssertionError} with the position of the first difference. */
    static void check(SchedulerState actual, SchedulerState expected) {
        StateComparison same = new StateComparison();
        same.left.add(new Pair(actual, expected, null, "state"));
        while (!same.left.isEmpty()) {
            same.compare(same.left.removeFirst());
        }
    }

    private void compare(Pair pair) {
        Object actual = pair.actual;
        Object expected = pair.expected;
        boolean value = actual != null && !isOfState(actual);
        if ((value && actual == expected) || (isNothing(actual) && isNothing(expected))) {
            return;
        }
        if (actual instanceof Collection<?> || expected instanceof Collection<?>) {
            compareLists(pair, elements(actual, pair.place), elements(expected, pair.place));
        } else if (actual instanceof Map<?, ?> || expected instanceof Map<?, ?>) {
            compareMaps(pair, map(actual), map(expected));
        } else if (actual instanceof long[] amounts && expected instanceof long[] others) {
            pair.same("", trimmed(amounts, pair.place), trimmed(others, pair.place));
        } else if (actual instanceof Object[] || expected instanceof Object[]) {
            compareLists(pair, array(actual), array(expected));
        } else if (actual != null && expected != null && isOfState(actual)) {
            compareObjects(pair, actual, expected);
        } else {
            pair.same("", actual, expected);
            if (actual instanceof TaskKind kind && expected instanceof TaskKind other) {
                pair.same(", the order of dependencies,", awaited(kind), awaited(other));
            }
        }
    }

    private static List<String> awaited(TaskKind kind) {
        return List.copyOf(kind.after().keySet());
    }

    private void compareObjects(Pair pair, Object actual, Object expected) {
        String name = actual.getClass().getSimpleName();
        if (name.equals("AllocatedTasks")) { // empty ones may share one instance
            compareLists(pair, (List<?>) call("all", actual), (List<?>) call("all", expected));
            return;
        }
        Object counterpart = counterparts.put(actual, expected);
        Object original = originals.put(expected, actual);
        if (counterpart != null || original != null) {
            if (counterpart != expected || original != actual) {
                throw new AssertionError(pair + " has a different identity");
            }
            return;
        }
        pair.same(", its class,", actual.getClass(), expected.getClass());
        if (name.equals("IndexAllocator")) {
            pair.same(".free", free(actual), free(expected));
        }
        for (Field field : fields(actual.getClass())) {
            left.add(pair.held(value(field, actual), value(field, expected), "." + field.getName()));
        }
    }

    private void compareLists(Pair pair, List<?> actual, List<?> expected) {
        pair.same(", its size,", actual.size(), expected.size());
        Iterator<?> others = expected.iterator();
        for (Object element : actual) {
            left.add(pair.held(element, others.next(), "[]"));
        }
    }

    private void compareMaps(Pair pair, Map<?, ?> actual, Map<?, ?> expected) {
        if (actual instanceof LinkedHashMap<?, ?> && expected instanceof LinkedHashMap<?, ?>) {
            pair.same(", its order,", List.copyOf(actual.keySet()), List.copyOf(expected.keySet()));
        }
        pair.same(", its keys,", Set.copyOf(actual.keySet()), Set.copyOf(expected.keySet()));
        actual.forEach((key, value) -> left.add(pair.held(value, expected.get(key), "[" + key + "]")));
    }

    /** Returns all fields of a class that are state, including inherited ones. */
    private List<Field> fields(Class<?> of) {
        return fields.computeIfAbsent(of, key -> {
            List<Field> found = new ArrayList<>();
            for (Class<?> type = key; type != null && type != Object.class; type = type.getSuperclass()) {
                for (Field field : type.getDeclaredFields()) {
                    if (!Modifier.isStatic(field.getModifiers())
                            && !NOT_STATE.contains(type.getSimpleName() + "." + field.getName())) {
                        field.setAccessible(true);
                        found.add(field);
                    }
                }
            }
            return found;
        });
    }

    /** Normalizes empty values to null. */
    private static boolean isNothing(@Nullable Object object) {
        return object == null
                || (object instanceof Collection<?> collection && collection.isEmpty())
                || (object instanceof Map<?, ?> map && map.isEmpty())
                || (object instanceof Object[] array && Stream.of(array).allMatch(StateComparison::isNothing));
    }

    /** Returns the elements of a collection in its order, or sorted if it has none. */
    private static List<?> elements(@Nullable Object collection, String place) {
        if (!(collection instanceof Collection<?> elements)) {
            return List.of();
        }
        if (place.equals(UNORDERED)) {
            return elements.stream()
                    .sorted(Comparator.comparing(Object::toString))
                    .toList();
        }
        boolean ordered = elements instanceof List<?>
                || elements instanceof LinkedHashSet<?>
                || elements instanceof TreeSet<?>
                || elements.getClass().getSimpleName().equals("ApplicationList")
                || elements.isEmpty();
        if (!ordered && !(elements instanceof HashSet<?>) && !(elements instanceof PriorityQueue<?>)) {
            throw new AssertionError("unknown order of a " + elements.getClass());
        }
        return ordered ? new ArrayList<>(elements) : elements.stream().sorted().toList();
    }

    private static Map<?, ?> map(@Nullable Object map) {
        return map instanceof Map<?, ?> entries ? entries : new HashMap<>();
    }

    /** Returns the elements of an array without empty ones at its end. */
    private static List<?> array(@Nullable Object array) {
        List<Object> elements = new ArrayList<>();
        if (array instanceof Object[] present) {
            elements.addAll(Arrays.asList(present));
            while (!elements.isEmpty() && isNothing(elements.get(elements.size() - 1))) {
                elements.remove(elements.size() - 1);
            }
        }
        return elements;
    }

    /** Returns a vector without trailing elements that equal the default. */
    private static List<Long> trimmed(long[] vector, String place) {
        long missing = place.equals(".max") || place.equals(".headroom") ? Long.MAX_VALUE : 0;
        int length = vector.length;
        while (length > 0 && vector[length - 1] == missing) {
            length--;
        }
        return Arrays.stream(vector, 0, length).boxed().toList();
    }

    private static List<Integer> free(Object indexes) {
        try {
            Field free = indexes.getClass().getDeclaredField("free");
            Field count = indexes.getClass().getDeclaredField("freeCount");
            free.setAccessible(true);
            count.setAccessible(true);
            return Arrays.stream((int[]) Objects.requireNonNull(value(free, indexes)), 0, count.getInt(indexes))
                    .boxed()
                    .toList();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("fields not found", e);
        }
    }

    private static Object call(String method, Object of) {
        try {
            Method found = of.getClass().getDeclaredMethod(method);
            found.setAccessible(true);
            return Objects.requireNonNull(found.invoke(of));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(of.getClass() + " has no method " + method, e);
        }
    }

    /** Whether it is part of the state, which is compared by its fields; anything else is compared by value. */
    private static boolean isOfState(Object object) {
        String name = object.getClass().getName();
        return !(object instanceof Enum<?>)
                && (name.startsWith("dev.sluice.core.state.") || name.endsWith(".ResourceTypes"))
                && !name.endsWith("$Reading");
    }

    private static @Nullable Object value(Field field, Object of) {
        try {
            return field.get(of);
        } catch (IllegalAccessException e) {
            throw new AssertionError(field + " cannot be read", e);
        }
    }
}
