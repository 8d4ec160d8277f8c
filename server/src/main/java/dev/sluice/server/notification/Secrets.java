package dev.sluice.server.notification;

import dev.sluice.config.notification.SecretSource;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Reads secrets.
 *
 * @param environment the environment variables
 */
record Secrets(Map<String, String> environment) {

    private static final long FILE_BYTES_MAX = 1 << 16;

    Secrets {
        environment = Map.copyOf(environment);
    }

    /**
     * Returns a secret.
     *
     * @throws DeliveryException if it cannot be read or is empty; the message contains only where it is read from
     */
    String read(SecretSource source) throws DeliveryException {
        String file = source.file();
        String secret;
        String place;
        if (file == null) {
            String variable = String.valueOf(source.variable());
            place = "environment variable " + variable;
            secret = environment.get(variable);
            if (secret == null) {
                throw new DeliveryException(place + " is not set");
            }
        } else {
            place = "file " + file;
            secret = content(Path.of(file), place).replaceFirst("\r?\n\\z", "");
        }
        if (secret.isEmpty()) {
            throw new DeliveryException(place + " is empty");
        }
        return secret;
    }

    private static String content(Path file, String place) throws DeliveryException {
        try {
            if (Files.size(file) > FILE_BYTES_MAX) {
                throw new DeliveryException(place + " is larger than 64 KiB");
            }
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new DeliveryException(place + " does not exist");
        } catch (CharacterCodingException e) {
            throw new DeliveryException(place + " is not UTF-8 text");
        } catch (IOException e) {
            throw new DeliveryException("cannot read " + place);
        }
    }
}
