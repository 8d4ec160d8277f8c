package dev.sluice.config.field;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The keys that a map may have, in the order in which they are documented. */
public final class Keys {

    private final Set<String> names;

    private Keys(Set<String> names) {
        this.names = names;
    }

    /** These keys. */
    public static Keys of(String... names) {
        return new Keys(Collections.unmodifiableSet(new LinkedHashSet<>(List.of(names))));
    }

    /** These keys and some more. */
    public Keys and(String... more) {
        Set<String> all = new LinkedHashSet<>(names);
        Collections.addAll(all, more);
        return new Keys(Collections.unmodifiableSet(all));
    }

    /** The keys. */
    public Set<String> names() {
        return names;
    }

    /** A few of the keys, for a message. */
    List<String> examples() {
        return names.stream().limit(3).toList();
    }
}
