package dev.sluice.cli;

/** A request of the user that cannot be fulfilled; the message, which may have several lines, gives the reason. */
final class UserException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UserException(String message) {
        super(message);
    }
}
