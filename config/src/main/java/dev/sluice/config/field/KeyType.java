package dev.sluice.config.field;

import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/** How the value of a key is written. */
public sealed interface KeyType {

    /** Text; numbers and truth values count as text, as they are written. */
    KeyType TEXT = new Text(false, 0, Integer.MAX_VALUE);

    /** Text that must be in quotes if YAML reads it as a number or a truth value. */
    KeyType STRICT_TEXT = new Text(true, 0, Integer.MAX_VALUE);

    /** A name or an id: 1 to 256 characters. */
    KeyType NAME = new Text(false, 1, 256);

    /** A whole number, 0 or more. */
    KeyType COUNT = new Whole(0, Long.MAX_VALUE);

    /** A random seed. */
    KeyType SEED = new Whole(Long.MIN_VALUE, Long.MAX_VALUE);

    /** A 32-bit whole number. */
    KeyType INT = new Whole(Integer.MIN_VALUE, Integer.MAX_VALUE);

    /** A number. */
    KeyType NUMBER = Plain.NUMBER;

    /** A truth value. */
    KeyType FLAG = Plain.FLAG;

    /** A duration. */
    KeyType DURATION = Plain.DURATION;

    /** An instant. */
    KeyType INSTANT = Plain.INSTANT;

    /** Amounts by resource type. */
    KeyType RESOURCES = Plain.RESOURCES;

    /** Any value. */
    KeyType VALUE = Plain.VALUE;

    /** Types without parameters. */
    enum Plain implements KeyType {
        /** A number. */
        NUMBER,
        /** A truth value. */
        FLAG,
        /** A duration. */
        DURATION,
        /** An instant. */
        INSTANT,
        /** Amounts by resource type. */
        RESOURCES,
        /** Any value. */
        VALUE
    }

    /**
     * Text.
     *
     * @param strict whether what YAML reads as a number or a truth value must be in quotes
     * @param lengthMin the minimum number of characters
     * @param lengthMax the maximum number of characters
     */
    record Text(boolean strict, int lengthMin, int lengthMax) implements KeyType {}

    /**
     * A whole number.
     *
     * @param min the minimum
     * @param max the maximum
     */
    record Whole(long min, long max) implements KeyType {}

    /**
     * One of several words.
     *
     * @param words the words
     * @param ignoresCase whether upper and lower case are the same
     */
    record Words(List<String> words, boolean ignoresCase) implements KeyType {}

    /**
     * A list.
     *
     * @param item the type of its items
     */
    record ListOf(KeyType item) implements KeyType {}

    /**
     * A map with any keys.
     *
     * @param key what the keys are, in the plural
     * @param value the type of its values
     */
    record MapOf(String key, KeyType value) implements KeyType {}

    /**
     * A map with these keys.
     *
     * @param keys supplies the keys, later, since sections may contain themselves
     */
    record SectionOf(Supplier<Keys> keys) implements KeyType {}

    /**
     * One of several types.
     *
     * @param types the types
     */
    record AnyOf(List<KeyType> types) implements KeyType {}

    /**
     * A value that may be in quotes whatever its type is.
     *
     * @param type the type
     */
    record Quotable(KeyType type) implements KeyType {}

    /** A whole number within these bounds, both included. */
    static KeyType whole(long min, long max) {
        return new Whole(min, max);
    }

    /** One of these words, written as given. */
    static KeyType words(Collection<String> words) {
        return new Words(List.copyOf(words), false);
    }

    /** One of these words, in upper or lower case. */
    static KeyType wordsIgnoringCase(Collection<String> words) {
        return new Words(List.copyOf(words), true);
    }

    /** A list of values of this type. */
    static KeyType list(KeyType item) {
        return new ListOf(item);
    }

    /** A map from names of this kind to values of this type. */
    static KeyType map(String keys, KeyType value) {
        return new MapOf(keys, value);
    }

    /** A map with these keys. */
    static KeyType section(Keys keys) {
        return new SectionOf(() -> keys);
    }

    /** A map with keys that are defined later. */
    static KeyType section(Supplier<Keys> keys) {
        return new SectionOf(keys);
    }

    /** A list of maps with these keys. */
    static KeyType sections(Keys keys) {
        return list(section(keys));
    }

    /** A list of maps with keys that are defined later. */
    static KeyType sections(Supplier<Keys> keys) {
        return list(section(keys));
    }

    /** A value of one of these types. */
    static KeyType anyOf(KeyType... types) {
        return new AnyOf(List.of(types));
    }
}
