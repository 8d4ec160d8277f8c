package dev.sluice.server;

/**
 * What a server does that is one of several with one journal.
 *
 * @param takeOver whether the journal is taken from a server that still has it open; otherwise the start fails
 * @param beforeListening called before the server listens
 */
public record ReplicaSettings(boolean takeOver, Runnable beforeListening) {

    /** The settings of the only server. */
    public static final ReplicaSettings ONLY = new ReplicaSettings(false, () -> {});
}
