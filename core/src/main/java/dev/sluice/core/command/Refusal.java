package dev.sluice.core.command;

/**
 * Why a command was refused. A refused command changes nothing.
 *
 * @param code the kind of reason, for programs
 * @param message what is wrong and how to fix it, for people
 */
public record Refusal(Code code, String message) {

    public enum Code {
        /** The partition, node, application, task or queue does not exist. */
        NOT_FOUND("not-found"),
        /** The name is already in use. */
        DUPLICATE("duplicate"),
        /** The request is invalid in any state. */
        INVALID("invalid"),
        /** The request is invalid in the current state. */
        CONFLICT("conflict"),
        /** The reported run has ended. */
        STALE("stale"),
        /** The request would exceed a limit of the scheduler. */
        TOO_MUCH("too-much");

        private final String wireName;

        Code(String wireName) {
            this.wireName = wireName;
        }

        /** The name in the API. */
        public String wireName() {
            return wireName;
        }
    }
}
