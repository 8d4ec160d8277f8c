package dev.sluice.config.situation;

/** A situation that can be read but that no scheduler can be in; the message says why. */
public final class SituationException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    SituationException(String message) {
        super(message);
    }
}
