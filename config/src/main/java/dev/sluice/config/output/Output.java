package dev.sluice.config.output;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A value to be printed as YAML or JSON. */
public sealed interface Output {

    /** Returns a string, which is read back as a string whatever it looks like. */
    static Output text(String text) {
        return new Text(text);
    }

    /** Returns a whole number. */
    static Output number(long number) {
        return new Literal(Long.toString(number));
    }

    /** Returns a finite number, which is read back as the same number. */
    static Output number(double number) {
        long whole = (long) number;
        boolean isShort = whole == number && Math.abs(number) < 1e15 && !(number == 0 && 1 / number < 0);
        return new Literal(isShort ? Long.toString(whole) : Double.toString(number));
    }

    /** Returns a truth value. */
    static Output flag(boolean flag) {
        return new Literal(Boolean.toString(flag));
    }

    /** Returns the value null. */
    static Output nothing() {
        return new Literal("null");
    }

    /** Returns a list of strings. */
    static Output texts(List<String> texts) {
        OutputList list = new OutputList();
        texts.forEach(text -> list.add(text(text)));
        return list;
    }

    /** Returns a map with strings as values. */
    static Output texts(Map<String, String> texts) {
        OutputMap map = new OutputMap();
        texts.forEach((key, text) -> map.put(key, text(text)));
        return map;
    }

    /** A string. */
    record Text(String text) implements Output {}

    /** A number, a truth value or null, as written. */
    record Literal(String text) implements Output {}

    /** A list of values. */
    final class OutputList implements Output {

        private final List<Output> items;

        /** Creates an empty list. */
        public OutputList() {
            this(new ArrayList<>());
        }

        private OutputList(List<Output> items) {
            this.items = items;
        }

        /** Returns a list that creates its items from these values each time it is printed, and does not keep them. */
        public static <T> OutputList of(List<T> values, Function<? super T, ? extends Output> maker) {
            return new OutputList(new AbstractList<>() {
                @Override
                public Output get(int index) {
                    return maker.apply(values.get(index));
                }

                @Override
                public int size() {
                    return values.size();
                }
            });
        }

        /** Appends a value to a list created by {@link #OutputList()}. */
        public void add(Output item) {
            items.add(item);
        }

        public boolean isEmpty() {
            return items.isEmpty();
        }

        List<Output> items() {
            return items;
        }
    }

    /** Values by key, in the order of insertion. */
    final class OutputMap implements Output {

        private final Map<String, Output> entries = new LinkedHashMap<>();

        /** Puts a value and returns this map. */
        public OutputMap put(String key, Output value) {
            entries.put(key, value);
            return this;
        }

        public boolean isEmpty() {
            return entries.isEmpty();
        }

        Map<String, Output> entries() {
            return entries;
        }
    }
}
