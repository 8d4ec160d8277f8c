package dev.sluice.cli.run;

/** Jobs that can be read but not be run; the message says why. */
public final class JobException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    JobException(String message) {
        super(message);
    }
}
