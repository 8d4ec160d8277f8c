package dev.sluice.runtime.machine;

/** As whom the tasks of a submitter run on this machine. */
public sealed interface TaskUser {

    /** As the user of this program. */
    record Unchanged() implements TaskUser {}

    /**
     * As a user of the system.
     *
     * @param uid the user id
     * @param gid the id of the primary group
     * @param home the home folder
     * @param shell the login shell
     */
    record Account(String name, long uid, long gid, String home, String shell) implements TaskUser {}

    /**
     * Not at all.
     *
     * @param reason why, and what helps
     */
    record Refused(String reason) implements TaskUser {}
}
