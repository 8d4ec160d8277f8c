package dev.sluice.config.situation;

import java.util.List;

/**
 * What a job file submits to a server.
 *
 * @param applications its applications
 * @param asked the resource types that its tasks ask for
 */
public record SubmittedFile(List<ApplicationEntry> applications, List<AskedType> asked) {

    /** Copies the lists. */
    public SubmittedFile {
        applications = List.copyOf(applications);
        asked = List.copyOf(asked);
    }
}
