package dev.sluice.config.field;

import dev.sluice.config.problem.SpellingHints;
import dev.sluice.config.yaml.YamlMap;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A map whose keys are known: a queue, a node, a task. */
public final class Section {

    private final Field field;
    private final YamlMap map;
    private final Keys keys;

    Section(Field field, YamlMap map, Keys keys) {
        this.field = field;
        this.map = map;
        this.keys = keys;
    }

    void checkKeys(String what) {
        for (YamlMap.Entry entry : map.entries()) {
            String key = entry.key().text();
            if (!keys.names().contains(key)) {
                field.under(entry)
                        .keyProblem(() -> "unknown key " + Field.quoted(key) + " of " + what + hint(key) + reference());
            }
        }
    }

    private String reference() {
        ReferencePage page = keys.page();
        return page == null ? "" : " (see " + page.in(field.page()).path() + ")";
    }

    private String hint(String key) {
        String lower = key.toLowerCase(Locale.ROOT).replaceAll("[-_ .]", "");
        return keys.names().contains(lower) && !lower.equals(key)
                ? ": did you mean \"" + lower + "\"?"
                : SpellingHints.hint(key, keys.names());
    }

    /** The map itself. */
    public Field self() {
        return field;
    }

    /** The value of this key, or null if the key is not there or has no value. */
    public @Nullable Field get(String key) {
        Field found = find(key);
        return found == null || found.isNull() ? null : found;
    }

    /** The value of this key, also if it is null; or null if the key is not there. */
    public @Nullable Field find(String key) {
        YamlMap.Entry entry = map.find(key);
        return entry == null ? null : field.under(entry);
    }

    /** The value of this key; or null, with a problem, if the key is not there or has no value. */
    public @Nullable Field require(String key, String message) {
        Field found = get(key);
        if (found == null) {
            Field empty = find(key);
            (empty == null ? field : empty).problem(message);
        }
        return found;
    }

    /** Whether the key is there, with or without a value. */
    public boolean has(String key) {
        return map.find(key) != null;
    }

    /** What this method makes of the value of this key, or the default if it is not there or wrong. */
    public <T> T read(String key, T whenMissing, Function<Field, @Nullable T> how) {
        Field found = get(key);
        T read = found == null ? null : how.apply(found);
        return read == null ? whenMissing : read;
    }

    /** What this method makes of the value of this key, or null if it is not there or wrong. */
    public <T> @Nullable T readOrNull(String key, Function<Field, @Nullable T> how) {
        Field found = get(key);
        return found == null ? null : how.apply(found);
    }
}
