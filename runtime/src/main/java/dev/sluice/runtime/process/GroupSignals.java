package dev.sluice.runtime.process;

/** Sends signals to whole process groups, which the JVM cannot. A group that is gone is passed over. */
public interface GroupSignals {

    /** Asks the processes of these groups to end, also those that were suspended. */
    void terminate(Iterable<Long> groups);

    /** Ends the processes of these groups by force. */
    void kill(Iterable<Long> groups);

    /** Nothing is left of this session. */
    void forget(long session);
}
