package dev.sluice.server.routes;

import dev.sluice.core.resource.Resources;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What was submitted lately, so that what is submitted again and again is one object for all applications that wait: it stays in memory as
 * long as they do.
 *
 * <p>Each value has one index, by the hash of its text, and drives out the one that was there: hence neither many values nor such as
 * were made to agree in their hashes can do anything but not be shared. Used by several threads without a lock: all that is
 * lost if two come to one index is, again, that something is not shared.
 */
final class ValueInterner {

    private static final int SIZE = 1 << 12;
    private static final int LENGTH_MAX = 128;

    private final @Nullable String[] texts = new String[SIZE];
    private final @Nullable CachedResources[] resources = new CachedResources[SIZE];

    /** Resources and what was written for them. */
    private record CachedResources(String written, Resources resources) {}

    /** The same text, the one that was there before if there is one. */
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

    /** What is meant by this, worked out unless it is there. */
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
