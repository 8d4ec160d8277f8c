package dev.sluice.config.snapshot;

import dev.sluice.core.application.TextMap;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where tasks are submitted from: what their commands get unless they say otherwise.
 *
 * @param directory the working directory, to which those of tasks are relative; null: the executor decides
 * @param environment the environment variables
 * @param secrets the values of secrets
 * @param encryption encrypts secrets, also those that tasks have themselves
 */
public record SubmissionOrigin(
        @Nullable String directory,
        SortedMap<String, String> environment,
        SortedMap<String, String> secrets,
        SecretEncryption encryption) {

    /** No directory and no variables. */
    public static final SubmissionOrigin UNKNOWN = new SubmissionOrigin(null, TextMap.EMPTY);

    /** Copies the map. */
    public SubmissionOrigin {
        environment = TextMap.copyOf(environment);
        secrets = TextMap.copyOf(secrets);
    }

    /** Creates an origin without secrets. */
    public SubmissionOrigin(@Nullable String directory, SortedMap<String, String> environment) {
        this(directory, environment, TextMap.EMPTY, SecretEncryption.DISCARD);
    }

    /** Returns a copy with these secrets. */
    public SubmissionOrigin withSecrets(SortedMap<String, String> newSecrets) {
        return new SubmissionOrigin(directory, environment, newSecrets, encryption);
    }

    /** Returns a copy with this encryption. */
    public SubmissionOrigin withEncryption(SecretEncryption newEncryption) {
        return new SubmissionOrigin(directory, environment, secrets, newEncryption);
    }

    /** Returns the secrets, encrypted. */
    SortedMap<String, String> encryptedSecrets() {
        SortedMap<String, String> encrypted = new TreeMap<>();
        secrets.forEach((name, value) -> encrypted.put(name, encryption.encrypt(name, value)));
        return TextMap.copyOf(encrypted);
    }

    /** Names the secrets, but does not contain their values. */
    @Override
    public String toString() {
        return "SubmissionOrigin[" + directory + ", " + environment.keySet() + ", " + secrets.keySet() + "]";
    }

    /** Returns the working directory of a task that says this about it, or nothing. */
    @Nullable String resolve(@Nullable String written) {
        if (directory == null || written == null) {
            return written == null ? directory : written;
        }
        return Path.of(directory).resolve(written).normalize().toString();
    }
}
