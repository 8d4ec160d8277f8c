package dev.sluice.core.resource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;

/**
 * The resource types known to a partition, each with an index, so that amounts can be stored in arrays.
 *
 * <p>An array of amounts (a <em>vector</em>) contains at index {@code i} the base units of type {@code i}. A vector may
 * be shorter than the list of types, since types are added at run time: amounts beyond its end are 0.
 */
public final class ResourceTypes {

    /** Cores, in thousandths. */
    public static final String VCORE = "vcore";

    /** Kubernetes' name of cores: an alias of {@link #VCORE} wherever users write resource types. */
    public static final String CPU = "cpu";

    /** Memory, in bytes. */
    public static final String MEMORY = "memory";

    /** Slots: every task takes one. */
    public static final String SLOTS = "slots";

    /** The index of {@link #SLOTS} in every partition. */
    public static final int SLOTS_INDEX = 0;

    private final List<String> names = new ArrayList<>();
    private List<String> immutableNames = List.of();
    private final Map<String, Integer> indexes = new HashMap<>();

    /** Creates a registry that contains slots, cores and memory. */
    public ResourceTypes() {
        index(SLOTS);
        index(VCORE);
        index(MEMORY);
    }

    /** Resolves aliases: returns {@code vcore} for {@code cpu} and any other name unchanged. */
    public static String canonicalName(String name) {
        return name.equals(CPU) ? VCORE : name;
    }

    public int size() {
        return names.size();
    }

    public String name(int index) {
        return names.get(index);
    }

    /** Returns the names by index, as an immutable list. */
    public List<String> names() {
        if (immutableNames.size() != names.size()) {
            immutableNames = List.copyOf(names);
        }
        return immutableNames;
    }

    /** Returns the index of this type; adds a new type. */
    public int index(String name) {
        Integer known = indexes.get(name);
        if (known != null) {
            return known;
        }
        int index = names.size();
        names.add(name);
        indexes.put(name, index);
        return index;
    }

    /** Returns the index of this type, or -1 if it is unknown. */
    public int find(String name) {
        return indexes.getOrDefault(name, -1);
    }

    /** Returns the amounts as a vector, with {@code missing} for types that are not named. */
    public long[] vector(Resources resources, long missing) {
        resources.amounts().keySet().forEach(this::index);
        long[] vector = new long[missing == 0 ? lengthFor(resources) : names.size()];
        Arrays.fill(vector, missing);
        resources.amounts().forEach((type, amount) -> vector[index(type)] = amount.value());
        return vector;
    }

    /** Returns the amounts of all types by name, without zeros. */
    public Resources resources(IntToLongFunction amounts) {
        SortedMap<String, Amount> byName = new TreeMap<>();
        for (int type = 0; type < names.size(); type++) {
            long amount = amounts.applyAsLong(type);
            if (amount != 0) {
                byName.put(names.get(type), new Amount(amount));
            }
        }
        return Resources.of(byName);
    }

    private int lengthFor(Resources resources) {
        int length = 0;
        for (String type : resources.amounts().keySet()) {
            length = Math.max(length, index(type) + 1);
        }
        return length;
    }
}
