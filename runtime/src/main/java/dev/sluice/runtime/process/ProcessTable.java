package dev.sluice.runtime.process;

import java.util.List;

/** The processes of this machine with their groups and sessions. */
public interface ProcessTable {

    /**
     * A process that is not a zombie.
     *
     * @param pid its id
     * @param group the id of its process group
     * @param session the id of its session; the id of its group on systems that do not report sessions
     */
    record Row(long pid, long group, long session) {}

    /**
     * Returns the running processes; those that start or end meanwhile may or may not be included. Empty if the table
     * is unreadable.
     */
    List<Row> read();

    /** Returns the table of this system. */
    static ProcessTable ofThisSystem() {
        return ProcTable.isAvailable() ? new ProcTable() : ofPs();
    }

    /** Returns the table of a system without {@code /proc}. */
    static ProcessTable ofPs() {
        return new PsTable();
    }
}
