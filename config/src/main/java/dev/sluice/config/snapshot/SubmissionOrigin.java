package dev.sluice.config.snapshot;

import dev.sluice.core.application.TextMap;
import java.nio.file.Path;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Where tasks are submitted from: what their commands get unless they say otherwise.
 *
 * @param directory the working directory, to which those of tasks are relative; null: the executor decides
 * @param environment the environment variables
 */
public record SubmissionOrigin(@Nullable String directory, SortedMap<String, String> environment) {

    /** No directory and no variables. */
    public static final SubmissionOrigin UNKNOWN = new SubmissionOrigin(null, TextMap.EMPTY);

    /** Copies the map. */
    public SubmissionOrigin {
        environment = TextMap.copyOf(environment);
    }

    /** Returns the working directory of a task that says this about it, or nothing. */
    @Nullable String resolve(@Nullable String written) {
        if (directory == null || written == null) {
            return written == null ? directory : written;
        }
        return Path.of(directory).resolve(written).normalize().toString();
    }
}
