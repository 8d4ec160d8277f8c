package dev.sluice.runtime.process;

/** Sends signals to process groups, which the JVM cannot do. Groups that have ended are ignored. */
public interface GroupSignals {

    /** Sends SIGTERM to these groups, and SIGCONT so that suspended processes receive it. */
    void terminate(Iterable<Long> groups);

    /** Sends SIGKILL to these groups. */
    void kill(Iterable<Long> groups);

    /** Called when no process of this session is left. */
    void forget(long session);
}
