package dev.sluice.cli.run;

/** Valid jobs that cannot run on this machine; the message gives the reason. */
public final class JobException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    JobException(String message) {
        super(message);
    }
}
