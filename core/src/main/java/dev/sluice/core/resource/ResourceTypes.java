package dev.sluice.core.resource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The resource types that a partition has met, each with a small number, so that amounts can be kept in arrays.
 *
 * <p>An array of amounts (a <em>vector</em>) holds at index {@code i} the base units of type {@code i}. A vector may be shorter
 * than the list of types, since types are added while the partition lives: what lies beyond its end is 0.
 */
public final class ResourceTypes {

    /** Cores, in thousandths. */
    public static final String VCORE = "vcore";

    /** What Kubernetes calls cores: another name of {@link #VCORE} wherever people write resource types. */
    public static final String CPU = "cpu";

    /** Memory, in bytes. */
    public static final String MEMORY = "memory";

    /** Workers: a task takes one. */
    public static final String SLOTS = "slots";

    /** The number of {@link #SLOTS} in every partition. */
    public static final int SLOTS_INDEX = 0;

    private final List<String> names = new ArrayList<>();
    private final Map<String, Integer> indexes = new HashMap<>();

    /** A registry that knows slots, cores and memory. */
    public ResourceTypes() {
        index(SLOTS);
        index(VCORE);
        index(MEMORY);
    }

    /** The type that people mean by this name: {@code vcore} for {@code cpu}, any other as it is. */
    public static String canonicalName(String name) {
        return name.equals(CPU) ? VCORE : name;
    }

    /** How many types are known. */
    public int size() {
        return names.size();
    }

    /** The name of the type with this number. */
    public String name(int index) {
        return names.get(index);
    }

    /** The number of this type; a new type gets the next one. */
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

    /** The number of this type, or -1 if it was never met. */
    public int find(String name) {
        return indexes.getOrDefault(name, -1);
    }

    /** The amounts as a vector; what is not named is {@code missing}. */
    public long[] vector(Resources resources, long missing) {
        resources.amounts().keySet().forEach(this::index);
        long[] vector = new long[missing == 0 ? lengthFor(resources) : names.size()];
        Arrays.fill(vector, missing);
        resources.amounts().forEach((type, amount) -> vector[index(type)] = amount.value());
        return vector;
    }

    /** The vector as amounts by name; zeros are left out. */
    public Resources resources(long[] vector) {
        SortedMap<String, Amount> amounts = new TreeMap<>();
        for (int i = 0; i < vector.length; i++) {
            if (vector[i] != 0) {
                amounts.put(names.get(i), new Amount(vector[i]));
            }
        }
        return Resources.of(amounts);
    }

    private int lengthFor(Resources resources) {
        int length = 0;
        for (String type : resources.amounts().keySet()) {
            length = Math.max(length, index(type) + 1);
        }
        return length;
    }
}
