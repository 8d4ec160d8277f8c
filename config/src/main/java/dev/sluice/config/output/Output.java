package dev.sluice.config.output;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A value to be written, as YAML or as JSON. */
public sealed interface Output {

    /** The text of a string, which is read back as a string whatever it looks like. */
    static Output text(String text) {
        return new Text(text);
    }

    /** A whole number. */
    static Output number(long number) {
        return new Literal(Long.toString(number));
    }

    /** A finite number, which is read back as the same one. */
    static Output number(double number) {
        long whole = (long) number;
        boolean isShort = whole == number && Math.abs(number) < 1e15 && !(number == 0 && 1 / number < 0);
        return new Literal(isShort ? Long.toString(whole) : Double.toString(number));
    }

    /** A truth value. */
    static Output flag(boolean flag) {
        return new Literal(Boolean.toString(flag));
    }

    /** The value null. */
    static Output nothing() {
        return new Literal("null");
    }

    /** These texts as a list. */
    static Output texts(List<String> texts) {
        OutputList list = new OutputList();
        texts.forEach(text -> list.add(text(text)));
        return list;
    }

    /** These texts by key. */
    static Output texts(Map<String, String> texts) {
        OutputMap map = new OutputMap();
        texts.forEach((key, text) -> map.put(key, text(text)));
        return map;
    }

    /** A string. */
    record Text(String text) implements Output {}

    /** A number, a truth value or null, as written. */
    record Literal(String text) implements Output {}

    /** Values in order. */
    final class OutputList implements Output {

        private final List<Output> items;

        /** An empty list, to be filled. */
        public OutputList() {
            this(new ArrayList<>());
        }

        private OutputList(List<Output> items) {
            this.items = items;
        }

        /** A list that makes its items of these values whenever it is printed, and keeps none of them. */
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

        /** Adds a value at the end of a list that is filled like this. */
        public void add(Output item) {
            items.add(item);
        }

        /** Whether it has no items. */
        public boolean isEmpty() {
            return items.isEmpty();
        }

        List<Output> items() {
            return items;
        }
    }

    /** Values by key, in the order in which they were put. */
    final class OutputMap implements Output {

        private final Map<String, Output> entries = new LinkedHashMap<>();

        /** Puts a value. */
        public OutputMap put(String key, Output value) {
            entries.put(key, value);
            return this;
        }

        /** Whether nothing was put. */
        public boolean isEmpty() {
            return entries.isEmpty();
        }

        Map<String, Output> entries() {
            return entries;
        }
    }
}
