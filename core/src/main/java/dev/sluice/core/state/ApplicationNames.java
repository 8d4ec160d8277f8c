package dev.sluice.core.state;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The remembered applications by name, which several may share. Those with the same name are a linked list through the
 * applications themselves, in the order of submission.
 */
final class ApplicationNames {

    private final Map<String, Application> newest = new HashMap<>();

    /** Adds an application that was submitted after all others. */
    void add(Application application) {
        Application older = newest.put(application.spec().name(), application);
        application.olderOfName = older;
        if (older != null) {
            older.newerOfName = application;
        }
    }

    void remove(Application application) {
        Application older = application.olderOfName;
        Application newer = application.newerOfName;
        if (older != null) {
            older.newerOfName = newer;
        }
        if (newer != null) {
            newer.olderOfName = older;
        } else if (older != null) {
            newest.put(application.spec().name(), older);
        } else {
            newest.remove(application.spec().name());
        }
        application.olderOfName = null;
        application.newerOfName = null;
    }

    /** Returns the application with this name that was submitted last, or null. */
    @Nullable Application newest(String name) {
        return newest.get(name);
    }
}
