package dev.sluice.runtime.process;

/** Sends signals to process groups, which the JVM cannot do. Groups that have ended are ignored. */
public interface GroupSignals {

    /** Sends SIGTERM to these groups, and SIGCONT so that suspended processes receive it. */
    void terminate(Iterable<Long> groups);

    /** Sends the signal with this name, such as {@code KILL}, to these groups. */
    void signal(String name, Iterable<Long> groups);

    /** Called when no process of this session is left. */
    void forget(long session);
}
