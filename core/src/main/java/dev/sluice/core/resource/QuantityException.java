package dev.sluice.core.resource;

/** Thrown for an invalid quantity; the message says what is wrong and how to fix it. */
public final class QuantityException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    QuantityException(String message) {
        super(message);
    }
}
