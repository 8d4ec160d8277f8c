package dev.sluice.server.routes;

import dev.sluice.core.resource.Resources;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Interns values of recent submissions, so that repeated values are one object for all queued applications, which keep
 * them in memory.
 *
 * <p>Each value has one slot, selected by the hash of its text, and replaces the value in it. So neither many values
 * nor colliding hashes can do more than prevent sharing. Used by several threads without a lock: a race, too, only
 * prevents sharing.
 */
final class ValueInterner {

    private static final int SIZE = 1 << 12;
    private static final int LENGTH_MAX = 128;

    private final @Nullable String[] texts = new String[SIZE];
    private final @Nullable CachedResources[] resources = new CachedResources[SIZE];

    /** Resources and the text they were parsed from. */
    private record CachedResources(String written, Resources resources) {}

    /** Returns an equal text, the interned one if there is one. */
    String text(String text) {
        if (text.length() > LENGTH_MAX) {
            return text;
        }
        int index = index(text);
        String known = texts[index];
        if (text.equals(known)) {
            return known;
        }
        texts[index] = text;
        return text;
    }

    /** Returns the resources of this text; parses them unless interned. */
    Resources resources(String written, Supplier<Resources> read) {
        int index = index(written);
        CachedResources known = resources[index];
        if (known != null && known.written().equals(written)) {
            return known.resources();
        }
        CachedResources found = new CachedResources(written, read.get());
        if (written.length() <= LENGTH_MAX) {
            resources[index] = found;
        }
        return found.resources();
    }

    private static int index(String text) {
        int hash = text.hashCode();
        return (hash ^ hash >>> 16) & (SIZE - 1);
    }
}
