package dev.sluice.runtime.process;

import java.util.List;

/** What runs on this machine, as far as it shows which processes belong together. */
public interface ProcessTable {

    /**
     * A process that is not a zombie.
     *
     * @param pid its id
     * @param group the id of its process group
     * @param session the id of its session; where the system does not tell it, that of its group
     */
    record Row(long pid, long group, long session) {}

    /** Everything that runs now; what starts or ends meanwhile may be missing or be there. Empty if it cannot be read. */
    List<Row> read();

    /** The table of this system. */
    static ProcessTable ofThisSystem() {
        return ProcTable.isAvailable() ? new ProcTable() : ofPs();
    }

    /** The table of a system without {@code /proc}. */
    static ProcessTable ofPs() {
        return new PsTable();
    }
}
