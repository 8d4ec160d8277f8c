package dev.sluice.config.problem;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the known word that is most similar to an unknown one. */
public final class SpellingHints {

    private static final int LENGTH_MAX = 80;
    private static final int LISTED_MAX = 16;
    private static final int LISTED_LENGTH_MAX = 120;
    private static final int CANDIDATES_MAX = 20_000;

    /** Words of other schedulers and tools, with the word that means the same here. */
    private static final Map<String, String> SYNONYMS = Map.ofEntries(
            Map.entry("id", "name"),
            Map.entry("name", "id"),
            Map.entry("cmd", "command"),
            Map.entry("run", "command"),
            Map.entry("script", "command"),
            Map.entry("environment", "env"),
            Map.entry("variables", "env"),
            Map.entry("cwd", "directory"),
            Map.entry("workdir", "directory"),
            Map.entry("needs", "after"),
            Map.entry("dependencies", "after"),
            Map.entry("dependson", "after"),
            Map.entry("requests", "resources"),
            Map.entry("replicas", "count"),
            Map.entry("timelimit", "timeout"),
            Map.entry("mem", "memory"),
            Map.entry("ram", "memory"),
            Map.entry("cores", "vcore"),
            Map.entry("cpus", "vcore"),
            Map.entry("gpus", "gpu"));

    private SpellingHints() {}

    /**
     * Returns the end of a message about an unknown word: {@code : did you mean "fifo"?}; or a short list of the known
     * words: {@code : expected one of a, b and c}; or the empty text.
     */
    public static String hint(String word, Collection<String> known) {
        String nearest = nearest(word, known);
        if (nearest != null) {
            return ": did you mean \"" + nearest + "\"?";
        }
        String all = known.isEmpty() || known.size() > LISTED_MAX ? "" : enumerated(known);
        return all.isEmpty() || all.length() > LISTED_LENGTH_MAX
                ? ""
                : ": expected " + (known.size() == 1 ? "" : "one of ") + all;
    }

    /** Returns the known key that means the same as this key of another tool, or null. */
    public static @Nullable String synonym(String key, Collection<String> known) {
        String meant = SYNONYMS.get(key.toLowerCase(Locale.ROOT));
        return meant != null && known.contains(meant) ? meant : null;
    }

    /** Returns the known word with the smallest edit distance, ignoring case; null if none is similar. */
    public static @Nullable String nearest(String word, Collection<String> known) {
        String lower = word.toLowerCase(Locale.ROOT);
        if (lower.length() > LENGTH_MAX) {
            return null;
        }
        String nearest = null;
        int distanceMin = Math.max(1, Math.min(3, lower.length() / 3)) + 1;
        int seen = 0;
        for (String candidate : known) {
            if (++seen > CANDIDATES_MAX) {
                break;
            }
            if (Math.abs(candidate.length() - lower.length()) < distanceMin) {
                int distance = distance(lower, candidate.toLowerCase(Locale.ROOT));
                if (distance < distanceMin && distance < candidate.length()) {
                    distanceMin = distance;
                    nearest = candidate;
                }
            }
        }
        return nearest;
    }

    /** Returns the words as a list in English: {@code a, b and c}. */
    public static String enumerated(Collection<String> words) {
        StringBuilder text = new StringBuilder();
        int i = 0;
        for (String word : words) {
            if (i > 0) {
                text.append(i == words.size() - 1 ? " and " : ", ");
            }
            text.append(word);
            i++;
        }
        return text.toString();
    }

    /** Returns the edit distance: the number of letters to insert, delete, replace or swap with a neighbour. */
    static int distance(String a, String b) {
        int[] beforeLast = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        int[] current = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                current[j] = Math.min(Math.min(last[j] + 1, current[j - 1] + 1), last[j - 1] + change);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    current[j] = Math.min(current[j], beforeLast[j - 2] + 1);
                }
            }
            int[] spare = beforeLast;
            beforeLast = last;
            last = current;
            current = spare;
        }
        return last[b.length()];
    }
}
