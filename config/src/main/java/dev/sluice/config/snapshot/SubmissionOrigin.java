package dev.sluice.config.snapshot;

import java.nio.file.Path;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where tasks are submitted from: what their commands get unless they say otherwise.
 *
 * @param directory the working directory, to which those of tasks are relative; null: the executor decides
 * @param environment the environment variables
 */
public record SubmissionOrigin(@Nullable String directory, SortedMap<String, String> environment) {

    /** No directory and no variables. */
    public static final SubmissionOrigin UNKNOWN = new SubmissionOrigin(null, Collections.emptySortedMap());

    /** Copies the map. */
    public SubmissionOrigin {
        environment = environment.isEmpty()
                ? Collections.emptySortedMap()
                : Collections.unmodifiableSortedMap(new TreeMap<>(environment));
    }

    /** Returns the working directory of a task that says this about it, or nothing. */
    @Nullable String resolve(@Nullable String written) {
        if (directory == null || written == null) {
            return written == null ? directory : written;
        }
        return Path.of(directory).resolve(written).normalize().toString();
    }
}
