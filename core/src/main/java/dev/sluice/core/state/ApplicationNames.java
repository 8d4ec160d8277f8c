package dev.sluice.core.state;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The remembered applications by name, which several may share. */
final class ApplicationNames {

    private final Map<String, TreeSet<Application>> named = new HashMap<>();

    void add(Application application) {
        named.computeIfAbsent(application.spec().name(), name -> new TreeSet<>(Application.BY_SEQUENCE))
                .add(application);
    }

    void remove(Application application) {
        named.computeIfPresent(application.spec().name(), (name, all) -> {
            all.remove(application);
            return all.isEmpty() ? null : all;
        });
    }

    /** Returns the application with this name that was submitted last, or null. */
    @Nullable Application newest(String name) {
        TreeSet<Application> all = named.get(name);
        return all == null ? null : all.last();
    }
}
