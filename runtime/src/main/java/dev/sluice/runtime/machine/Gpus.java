package dev.sluice.runtime.machine;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * GPUs of this machine, by index as in {@code nvidia-smi}.
 *
 * @param indices the indices, without duplicates, in ascending order
 */
public record Gpus(List<Integer> indices) {

    /** The resource type of which tasks request a number. */
    public static final String RESOURCE = "gpu";

    /** No GPUs: tasks that request some get only their number. */
    public static final Gpus NONE = new Gpus(List.of());

    /** What users may write. */
    public static final String FORMS = "auto, none, a number (4), or indices (0,2-3; 2-2 is index 2 alone)";

    /** More than any machine has. */
    private static final int INDEX_MAX = 4095;

    private static final Pattern COUNT = Pattern.compile("[0-9]{1,4}");
    private static final Pattern RANGE = Pattern.compile("([0-9]{1,4})(?:-([0-9]{1,4}))?");

    public Gpus {
        indices = List.copyOf(new TreeSet<>(indices));
    }

    /** Returns the number of GPUs. */
    public int count() {
        return indices.size();
    }

    /**
     * Parses what a user wrote: {@code auto}, {@code none}, a number, or a list of indices and ranges. A number of GPUs
     * are those from index 0 on.
     *
     * @throws IllegalArgumentException if it has no such form
     */
    public static Gpus parse(String text) {
        if (text.equals("auto")) {
            return GpuSearch.ofThisSystem().find();
        }
        if (text.equals("none")) {
            return NONE;
        }
        SortedSet<Integer> indices = new TreeSet<>();
        if (COUNT.matcher(text).matches()) {
            addRange(indices, 0, Integer.parseInt(text) - 1, text);
            return new Gpus(List.copyOf(indices));
        }
        for (String part : text.split(",", -1)) {
            Matcher range = RANGE.matcher(part);
            if (!range.matches()) {
                throw invalid(text);
            }
            int first = Integer.parseInt(range.group(1));
            int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
            if (last < first) {
                throw invalid(text);
            }
            addRange(indices, first, last, text);
        }
        return new Gpus(List.copyOf(indices));
    }

    private static void addRange(SortedSet<Integer> indices, int first, int last, String text) {
        if (last > INDEX_MAX) {
            throw new IllegalArgumentException("index of a GPU must be at most " + INDEX_MAX + ": '" + text + "'");
        }
        for (int index = first; index <= last; index++) {
            if (!indices.add(index)) {
                throw new IllegalArgumentException("duplicate GPU " + index + ": '" + text + "'");
            }
        }
    }

    private static IllegalArgumentException invalid(String text) {
        return new IllegalArgumentException("'" + text + "' is not " + FORMS);
    }

    /** Returns the indices with commas, as in {@code CUDA_VISIBLE_DEVICES}. */
    public static String text(List<Integer> indices) {
        return indices.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** Returns a description, such as {@code 3 GPUs (0,2,3)}. */
    @Override
    public String toString() {
        return switch (count()) {
            case 0 -> "no GPUs";
            case 1 -> "1 GPU (" + text(indices) + ")";
            default -> count() + " GPUs (" + text(indices) + ")";
        };
    }
}
