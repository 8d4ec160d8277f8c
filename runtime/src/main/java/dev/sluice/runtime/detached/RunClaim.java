package dev.sluice.runtime.detached;

/** The owner of a run: the content of its record {@code claim}, which never changes once it exists. */
sealed interface RunClaim {

    /** The link content that represents {@link Withdrawn}. */
    String WITHDRAWN = "withdrawn";

    /** The run is not claimed yet. */
    record Unclaimed() implements RunClaim {}

    /** A runner claimed the run so that it never starts. */
    record Withdrawn() implements RunClaim {}

    /** This process runs the command, or ran it. */
    record Claimed(ProcessIdentity identity) implements RunClaim {}

    /** The link was not written by this program. */
    record Damaged(String problem) implements RunClaim {}
}
