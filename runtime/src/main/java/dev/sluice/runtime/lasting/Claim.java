package dev.sluice.runtime.lasting;

/** To whom a run belongs: what its link {@code claim} says. It never changes once it is there. */
sealed interface Claim {

    /** The content of the link that {@link Withdrawn} stands for. */
    String WITHDRAWN = "withdrawn";

    /** Nobody has claimed it yet. */
    record Free() implements Claim {}

    /** A runner took it so that it never starts. */
    record Withdrawn() implements Claim {}

    /** This process runs it, or ran it. */
    record Held(ProcessIdentity identity) implements Claim {}

    /** Something is there that no program of ours has made. */
    record Damaged(String problem) implements Claim {}
}
