package dev.sluice.core.state;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A compact list of distinct names, numbered 0, 1, 2 and so on. Finds names by number and numbers by name.
 *
 * <p>Several names share one string, each preceded by its length, so that a name costs no object. Names that do not fit
 * in the hash table because of crafted collisions are in an additional map.
 */
final class Names {

    /** The number of names that share a string. The overhead of a string is then 3 bytes a name. */
    private static final int TEXT_NAMES = 16;

    private final IndexTable table = new IndexTable(number -> get(number).hashCode());
    private String[] texts = {};
    private Map<String, Integer> crowded = Map.of();
    private int size;

    /** Adds a name of 1 to 256 characters, which must not be present yet. */
    void add(String name) {
        int text = size / TEXT_NAMES;
        if (text == texts.length) {
            texts = Arrays.copyOf(texts, text + text / 4 + 1);
        }
        String before = size % TEXT_NAMES == 0 ? "" : texts[text];
        texts[text] = before + (char) (name.length() - 1) + name; // the length minus one, which fits in one byte
        int number = size++;
        if (!table.add(name.hashCode())) {
            crowded = crowded.isEmpty() ? new HashMap<>() : crowded;
            crowded.put(name, number);
        }
    }

    /** Returns the name with this number. */
    String get(int number) {
        String text = texts[number / TEXT_NAMES];
        int start = start(text, number);
        return text.substring(start + 1, next(text, start));
    }

    /** Returns the number of this name, or {@link IndexTable#NONE} if it is not present. */
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

    /** Returns the position of the length of a name in its string. */
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
