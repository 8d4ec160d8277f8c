package dev.sluice.runtime.detached;

/** To whom a run belongs: what its link {@code claim} says. It never changes once it is there. */
sealed interface RunClaim {

    /** The content of the link that {@link Withdrawn} stands for. */
    String WITHDRAWN = "withdrawn";

    /** Nobody has claimed it yet. */
    record Free() implements RunClaim {}

    /** A runner took it so that it never starts. */
    record Withdrawn() implements RunClaim {}

    /** This process runs it, or ran it. */
    record Held(ProcessIdentity identity) implements RunClaim {}

    /** Something is there that no program of ours has made. */
    record Damaged(String problem) implements RunClaim {}
}
