package dev.sluice.config.snapshot;

/** Encrypts the secrets of tasks when they are read, so that nothing keeps their values. */
public interface SecretEncryption {

    /** Discards the values: the tasks are only checked or planned. */
    SecretEncryption DISCARD = (name, value) -> "";

    /**
     * Returns the encrypted value of a secret.
     *
     * @param name the name of the variable, without which the value cannot be decrypted
     * @throws IllegalStateException if there is no usable key; the message says why
     */
    String encrypt(String name, String value);
}
