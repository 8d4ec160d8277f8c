package dev.sluice.server.notification;

/** Delivers notifications to one receiver. Thread-safe. */
@FunctionalInterface
public interface Sender {

    /**
     * Delivers a notification; returns when it has been received.
     *
     * @param id the id
     * @param content a JSON object
     * @throws DeliveryException if it may not have been received
     * @throws InterruptedException if the thread was interrupted; it may not have been received
     */
    void send(String id, String content) throws DeliveryException, InterruptedException;
}
