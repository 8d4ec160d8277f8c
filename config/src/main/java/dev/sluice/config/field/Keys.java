package dev.sluice.config.field;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The keys that a section may have, in the order in which they are documented. Reading, references and JSON schemas all
 * go by them.
 */
public final class Keys {

    private final String section;
    private final @Nullable ReferencePage page;
    private final Map<String, Key> own;
    private final Map<String, Key> all;
    private final @Nullable Keys included;
    private final Map<String, String> refused;

    private Keys(
            String section,
            @Nullable ReferencePage page,
            Map<String, Key> own,
            @Nullable Keys included,
            Map<String, String> refused) {
        this.section = section;
        this.refused = refused;
        this.page = page;
        this.own = Collections.unmodifiableMap(own);
        this.included = included;
        Map<String, Key> both = new LinkedHashMap<>(own);
        if (included != null) {
            included.all.forEach(both::putIfAbsent);
        }
        this.all = Collections.unmodifiableMap(both);
    }

    /**
     * The keys of a section.
     *
     * @param section what the section is called, such as {@code placement rule}; unique within a reference
     * @param page the page that documents it, or null
     */
    public static Keys of(String section, @Nullable ReferencePage page, Key... keys) {
        Map<String, Key> byName = new LinkedHashMap<>();
        for (Key key : keys) {
            if (byName.put(key.name(), key) != null) {
                throw new IllegalArgumentException("duplicate key " + key.name() + " of " + section);
            }
        }
        return new Keys(section, page, byName, null, Map.of());
    }

    /**
     * Returns the same keys together with all keys of another section; where both have a key, this section's counts.
     */
    public Keys including(Keys other) {
        return new Keys(section, page, own, other, refused);
    }

    /** Returns these keys under another section name, with these ones in place of those of the same names. */
    public Keys variant(String newSection, Key... changed) {
        Map<String, Key> byName = new LinkedHashMap<>(own);
        for (Key key : changed) {
            if (byName.put(key.name(), key) == null) {
                throw new IllegalArgumentException("no key " + key.name() + " of " + section);
            }
        }
        return new Keys(newSection, page, byName, included, refused);
    }

    /** Returns these keys, where these keys of other tools are refused with a reason and what to do instead. */
    public Keys refusing(Map<String, String> reasons) {
        return new Keys(section, page, own, included, reasons);
    }

    /** Returns why this key of another tool is refused, or null. */
    @Nullable String refusal(String key) {
        return refused.get(key);
    }

    /** What the section is called. */
    public String section() {
        return section;
    }

    /** The page that documents the section, or null. */
    public @Nullable ReferencePage page() {
        return page;
    }

    /** The section all of whose keys this one has, too, or null. */
    public @Nullable Keys included() {
        return included;
    }

    /** The section's own keys, without those of the included section. */
    public Collection<Key> own() {
        return own.values();
    }

    /** All keys. */
    public Collection<Key> all() {
        return all.values();
    }

    /** The names of all keys. */
    public Set<String> names() {
        return all.keySet();
    }

    /** A few of the keys, for a message. */
    List<String> examples() {
        return all.keySet().stream().limit(3).toList();
    }
}
