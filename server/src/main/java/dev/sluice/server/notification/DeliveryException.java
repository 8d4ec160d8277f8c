package dev.sluice.server.notification;

/** A delivery failed. The message says why, without secrets. */
public final class DeliveryException extends Exception {

    private static final long serialVersionUID = 1;

    /** Creates an exception with this reason. */
    public DeliveryException(String reason) {
        super(reason);
    }
}
