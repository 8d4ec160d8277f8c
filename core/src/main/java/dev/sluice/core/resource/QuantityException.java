package dev.sluice.core.resource;

/** A text that is no quantity; the message says what is wrong with it and how it is written. */
public final class QuantityException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    QuantityException(String message) {
        super(message);
    }
}
