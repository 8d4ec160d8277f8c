package dev.sluice.config.matrix;

import dev.sluice.config.field.Field;
import dev.sluice.config.problem.SpellingHints;
import dev.sluice.config.yaml.YamlMap;
import dev.sluice.config.yaml.YamlScalar;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The matrix of a task: one task for each combination of the values of its parameters.
 *
 * <p>The last parameter varies fastest. Parameters of {@code zip} vary together, in the place of the first of them.
 * Combinations of {@code exclude} are left out.
 */
public final class TaskMatrix {

    /** The keys of a task that describe its matrix. */
    static final Set<String> KEYS = Set.of("matrix", "zip", "exclude");

    private static final int EXCLUDED_MAX = 1000;
    private static final int ANY = -1;

    private final Field task;
    private final List<Parameter> parameters;

    /** By dimension: the parameters that vary together in it. */
    private final List<List<Integer>> dimensions = new ArrayList<>();

    private final List<int[]> excluded = new ArrayList<>();
    private final List<Field> excludedFields = new ArrayList<>();
    private final BitSet excludes = new BitSet();

    private TaskMatrix(Field task, List<Parameter> parameters) {
        this.task = task;
        this.parameters = parameters;
    }

    /** Returns whether a task has a matrix, or keys that only a matrix has. */
    public static boolean isIn(Field task) {
        if (task.value() instanceof YamlMap map) {
            for (int i = 0; i < map.entries().size(); i++) { // without an iterator, since every task is asked
                String key = map.entries().get(i).key().text();
                if (key.equals("matrix") || key.equals("zip") || key.equals("exclude")) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Passes on the tasks of a matrix, in order, until one of them has a problem or the limit is exceeded. */
    public static void expand(Field task, ExpansionLimit limit, Consumer<Field> tasks) {
        if (limit.isExceeded()) {
            return;
        }
        Map<String, Field> fields = task.asMap("keys");
        Field matrix = fields.get("matrix");
        if (matrix == null) {
            for (String key : List.of("zip", "exclude")) {
                Field field = fields.get(key);
                if (field != null) {
                    field.keyProblem(() -> key + " needs a matrix: add matrix, or remove " + key);
                }
            }
            return;
        }
        List<Parameter> parameters = ParameterReader.read(matrix, limit);
        if (parameters == null) {
            return;
        }
        TaskMatrix read = new TaskMatrix(task, parameters);
        int before = task.problemCount();
        read.readZip(fields.get("zip"));
        read.readExclude(fields.get("exclude"));
        if (task.problemCount() == before && read.isWithinLimit(matrix)) {
            read.make(matrix, limit, tasks);
        }
    }

    private void readZip(@Nullable Field zip) {
        List<Integer> together = new ArrayList<>();
        if (zip != null && !zip.isNull()) {
            for (Field each : zip.asList("parameters")) {
                String name = each.asText();
                int parameter = name == null ? -1 : parameter(each, name);
                if (parameter >= 0 && together.contains(parameter)) {
                    each.problem("duplicate parameter " + name + ": remove it");
                } else if (parameter >= 0) {
                    together.add(parameter);
                }
            }
            Set<Integer> sizes = together.stream()
                    .map(each -> parameters.get(each).values().size())
                    .collect(Collectors.toSet());
            if (sizes.size() > 1) {
                zip.problem("parameters that vary together must have the same number of values: "
                        + together.stream()
                                .map(each -> parameters.get(each).name() + " has "
                                        + parameters.get(each).values().size())
                                .collect(Collectors.joining(", ")));
            } else if (zip.isList() && zip.size() < 2) {
                zip.problem("zip needs two or more parameters");
            }
        }
        for (int i = 0; i < parameters.size(); i++) {
            if (!together.contains(i)) {
                dimensions.add(List.of(i));
            } else if (i == together.stream().min(Integer::compare).orElse(i)) {
                dimensions.add(together);
            }
        }
    }

    private int parameter(Field where, String name) {
        for (int i = 0; i < parameters.size(); i++) {
            if (parameters.get(i).name().equals(name)) {
                return i;
            }
        }
        where.problem("unknown parameter " + Field.quoted(name)
                + SpellingHints.hint(
                        name, parameters.stream().map(Parameter::name).toList()));
        return -1;
    }

    private void readExclude(@Nullable Field exclude) {
        List<Field> all = exclude == null ? List.of() : exclude.asList("combinations");
        if (exclude != null && all.size() > EXCLUDED_MAX) {
            exclude.problem("too many combinations to exclude: the maximum is " + EXCLUDED_MAX);
            return;
        }
        Map<Integer, Map<String, Integer>> indexes = new HashMap<>();
        for (Field field : all) {
            int[] values = new int[parameters.size()];
            Arrays.fill(values, ANY);
            Map<String, Field> given = field.asMap("values by parameter");
            if (field.isNull() || (field.isMap() && given.isEmpty())) {
                field.problem("nothing to exclude: write {seed: 3}, or remove this");
            }
            given.forEach((name, each) -> {
                int parameter = parameter(each, name);
                String value = each.asValueText();
                if (parameter < 0 || value == null) {
                    return;
                }
                values[parameter] = indexes.computeIfAbsent(
                                parameter, index -> parameters.get(index).indexes())
                        .getOrDefault(Parameter.canonical(value), ANY);
                if (values[parameter] == ANY) {
                    each.problem(() -> "parameter " + name + " has no value " + Field.quoted(value)
                            + SpellingHints.hint(
                                    value, parameters.get(parameter).values()));
                }
            });
            excluded.add(values);
            excludedFields.add(field);
        }
    }

    private boolean isWithinLimit(Field matrix) {
        long count = 1;
        for (List<Integer> dimension : dimensions) {
            count *= parameters.get(dimension.get(0)).values().size();
            if (count > ExpansionLimit.TASKS_MAX) {
                matrix.problem("this matrix makes too many tasks: the maximum is " + ExpansionLimit.TASKS_MAX);
                return false;
            }
        }
        return true;
    }

    private void make(Field matrix, ExpansionLimit limit, Consumer<Field> tasks) {
        TaskTemplate template = new TaskTemplate(task, parameters);
        warnUnused(template.used());
        if (!isIdDistinct(template.usedInId())) {
            return;
        }
        int before = task.problemCount();
        int number = 0;
        int[] positions = new int[dimensions.size()];
        do {
            int[] indexes = new int[parameters.size()];
            for (int i = 0; i < positions.length; i++) {
                for (int parameter : dimensions.get(i)) {
                    indexes[parameter] = positions[i];
                }
            }
            if (isExcluded(indexes)) {
                if (!limit.addTask(0)) {
                    reportTooLarge(matrix);
                    return;
                }
                continue;
            }
            List<String> values = new ArrayList<>(indexes.length);
            for (int i = 0; i < indexes.length; i++) {
                values.add(parameters.get(i).values().get(indexes[i]));
            }
            if (!template.isSafe(values)) {
                matrix.problem("a value cannot be inserted safely into a command of this shell: use letters, digits and"
                        + " ._-/:@%+, alone, or pass the value by env");
                return;
            }
            YamlMap made = template.with(values, number++);
            if (!limit.addTask(template.characters())) {
                reportTooLarge(matrix);
                return;
            }
            tasks.accept(task.withValue(made));
        } while (task.problemCount() == before && next(positions));
        if (number == 0) {
            matrix.problem("exclude leaves no combination of this matrix: remove an entry");
        }
        for (int i = 0; i < excluded.size() && task.problemCount() == before; i++) {
            if (!excludes.get(i)) {
                excludedFields.get(i).warning("this entry excludes nothing: remove it");
            }
        }
    }

    static void reportTooLarge(Field where) {
        where.problem("the tasks of all matrices of this file are too large: write fewer or shorter ones");
    }

    /** Advances to the next combination; returns false after the last one. */
    private boolean next(int[] positions) {
        for (int i = positions.length - 1; i >= 0; i--) {
            if (++positions[i]
                    < parameters.get(dimensions.get(i).get(0)).values().size()) {
                return true;
            }
            positions[i] = 0;
        }
        return false;
    }

    private boolean isExcluded(int[] indexes) {
        boolean found = false;
        for (int i = 0; i < excluded.size(); i++) {
            boolean same = true;
            for (int j = 0; same && j < indexes.length; j++) {
                int wanted = excluded.get(i)[j];
                same = wanted == ANY || wanted == indexes[j];
            }
            if (same) {
                excludes.set(i);
                found = true;
            }
        }
        return found;
    }

    private void warnUnused(BitSet used) {
        for (int i = 0; i < parameters.size(); i++) {
            if (!used.get(i)) {
                String name = parameters.get(i).name();
                parameters
                        .get(i)
                        .field()
                        .keyWarning("parameter " + name + " has no effect on the tasks: write {" + name
                                + "} in the command, in env or in another text of the task");
            }
        }
    }

    /** Returns whether ids are distinct: they contain a number, or each dimension of several values. */
    private boolean isIdDistinct(BitSet inId) {
        Field id = task.asMap("keys").get("id");
        if (inId.isEmpty() || id == null) {
            return true;
        }
        Set<String> missing = new HashSet<>();
        for (List<Integer> dimension : dimensions) {
            Parameter first = parameters.get(dimension.get(0));
            if (first.values().size() > 1 && dimension.stream().noneMatch(inId::get)) {
                missing.add("{" + first.name() + "}");
            }
        }
        if (!missing.isEmpty()) {
            id.problem("the id must differ between the tasks of a matrix: add "
                    + missing.stream().sorted().collect(Collectors.joining(" and ")) + ", or write no parameter in it");
        }
        return missing.isEmpty();
    }

    /** Returns the id as it is written; null if it is missing or not text. */
    public static @Nullable String idOf(Field task) {
        YamlMap.Entry entry = task.value() instanceof YamlMap map ? map.find("id") : null;
        return entry != null && entry.value() instanceof YamlScalar scalar ? scalar.text() : null;
    }
}
