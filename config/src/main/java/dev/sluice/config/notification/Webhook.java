package dev.sluice.config.notification;

import org.jspecify.annotations.Nullable;

/**
 * An address that notifications are posted to.
 *
 * @param url the address; null if it is secret
 * @param secretUrl where the address is read from; null if it is not secret
 * @param secret where the key of the signature is read from; null for requests without a signature
 * @param authorization where the value of the header {@code Authorization} is read from, or null
 */
public record Webhook(
        @Nullable String url,
        @Nullable SecretSource secretUrl,
        @Nullable SecretSource secret,
        @Nullable SecretSource authorization) {}
