package dev.sluice.cli;

/** Something the user asked for that cannot be done; the message, which may have several lines, says why. */
final class UserException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UserException(String message) {
        super(message);
    }
}
