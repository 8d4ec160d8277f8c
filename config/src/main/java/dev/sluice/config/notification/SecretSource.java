package dev.sluice.config.notification;

import org.jspecify.annotations.Nullable;

/**
 * Where a secret is read from: a file or an environment variable. Exactly one is given.
 *
 * @param file the path of the file; its content without the final line break is the secret
 * @param variable the name of the environment variable
 */
public record SecretSource(@Nullable String file, @Nullable String variable) {

    public SecretSource {
        if ((file == null) == (variable == null)) {
            throw new IllegalArgumentException("either a file or a variable is required");
        }
    }
}
