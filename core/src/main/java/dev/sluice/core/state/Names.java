package dev.sluice.core.state;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Names that are numbered 0, 1, 2 and so on in the order in which they came, each there once, in little memory: found by number and by name.
 *
 * <p>Some names are one text, each with its length before it, so that no name costs an object. Names whose hashes were made to agree
 * are kept in a map beside the table as soon as they are too many for it.
 */
final class Names {

    /** How many names are one text: then what a text costs is 3 bytes a name. */
    private static final int TEXT_NAMES = 16;

    private final IndexTable table = new IndexTable(number -> get(number).hashCode());
    private String[] texts = {};
    private Map<String, Integer> crowded = Map.of();
    private int size;

    /** Adds a name of 1 to 256 characters that is not there yet. */
    void add(String name) {
        int text = size / TEXT_NAMES;
        if (text == texts.length) {
            texts = Arrays.copyOf(texts, text + text / 4 + 1);
        }
        String before = size % TEXT_NAMES == 0 ? "" : texts[text];
        texts[text] = before + (char) (name.length() - 1) + name; // one less than the length: then it is one byte
        int number = size++;
        if (!table.add(name.hashCode())) {
            crowded = crowded.isEmpty() ? new HashMap<>() : crowded;
            crowded.put(name, number);
        }
    }

    /** The name with this number. */
    String get(int number) {
        String text = texts[number / TEXT_NAMES];
        int start = start(text, number);
        return text.substring(start + 1, next(text, start));
    }

    /** The number of this name, or {@link IndexTable#NONE} if it is not there. */
    int find(String name) {
        for (int number = table.first(name.hashCode()); number != IndexTable.NONE; number = table.next(number)) {
            if (is(number, name)) {
                return number;
            }
        }
        return crowded.isEmpty() ? IndexTable.NONE : crowded.getOrDefault(name, IndexTable.NONE);
    }

    private boolean is(int number, String name) {
        String text = texts[number / TEXT_NAMES];
        int start = start(text, number);
        return text.charAt(start) == name.length() - 1 && text.startsWith(name, start + 1);
    }

    /** Where in its text the length of the name with this number is. */
    private static int start(String text, int number) {
        int start = 0;
        for (int before = number % TEXT_NAMES; before > 0; before--) {
            start = next(text, start);
        }
        return start;
    }

    private static int next(String text, int start) {
        return start + text.charAt(start) + 2;
    }
}
