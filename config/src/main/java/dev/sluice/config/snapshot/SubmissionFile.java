package dev.sluice.config.snapshot;

import java.util.List;

/**
 * A job file submitted to a server.
 *
 * @param applications its applications
 * @param requestedTypes the resource types that its tasks request
 */
public record SubmissionFile(List<ApplicationEntry> applications, List<RequestedType> requestedTypes) {

    /** Copies the lists. */
    public SubmissionFile {
        applications = List.copyOf(applications);
        requestedTypes = List.copyOf(requestedTypes);
    }
}
