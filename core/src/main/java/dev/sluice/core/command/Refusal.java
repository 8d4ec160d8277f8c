package dev.sluice.core.command;

/**
 * Why a command was not carried out. Nothing has changed then.
 *
 * @param code what kind of reason, for programs
 * @param message what is wrong and what would help, for people
 */
public record Refusal(Code code, String message) {

    /** The kinds of reasons. */
    public enum Code {
        /** There is no such partition, node, application, task or queue. */
        NOT_FOUND("not-found"),
        /** Something of that name is there already. */
        DUPLICATE("duplicate"),
        /** What is asked for cannot be, whatever the state. */
        INVALID("invalid"),
        /** It cannot be in the present state. */
        CONFLICT("conflict"),
        /** The report is about a run that is over. */
        STALE("stale"),
        /** It would exceed a limit of the scheduler. */
        TOO_MUCH("too-much");

        private final String wireName;

        Code(String wireName) {
            this.wireName = wireName;
        }

        /** The name used in answers. */
        public String wireName() {
            return wireName;
        }
    }
}
