package dev.sluice.runtime.secret;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.config.snapshot.SecretEncryption;
import dev.sluice.core.application.TaskCommand;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts the secrets of tasks when they are submitted, and decrypts them when the tasks start: AES-256 in Galois
 * counter mode with a random nonce; the name of the variable is authenticated, too. Thread-safe.
 *
 * <p>An encrypted secret is the version 1, the id of the key, and nonce and ciphertext in base 64, separated by dots.
 */
public final class SecretCipher implements SecretEncryption {

    private static final String VERSION = "1";
    private static final String TRANSFORMATION = "AES/GCM/NoPadding";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int KEY_ID_BYTES = 4;

    private final SecretKeyFile file;
    private final SecureRandom random = new SecureRandom();

    /** A key of AES-256 and the beginning of its digest. */
    private record Key(SecretKeySpec spec, String id) {}

    /** Creates a cipher with the key in this file, which is read when it is needed. */
    public SecretCipher(SecretKeyFile file) {
        this.file = file;
    }

    private static Key key(String text) {
        return new Key(
                new SecretKeySpec(digest("key:" + text), "AES"),
                HexFormat.of().formatHex(digest("id:" + text), 0, KEY_ID_BYTES));
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is not available", e);
        }
    }

    @Override
    public String encrypt(String name, String value) {
        Key key = key(file.readOrCreate());
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            byte[] text = cipher(Cipher.ENCRYPT_MODE, key, nonce, name).doFinal(value.getBytes(UTF_8));
            byte[] all = Arrays.copyOf(nonce, nonce.length + text.length);
            System.arraycopy(text, 0, all, nonce.length, text.length);
            return VERSION + "." + key.id + "." + Base64.getEncoder().encodeToString(all);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot encrypt secret " + name, e);
        }
    }

    /**
     * Returns the environment of a command with its secrets.
     *
     * @throws IllegalStateException if a secret cannot be decrypted; the message says why and names no value
     */
    public SortedMap<String, String> environment(TaskCommand command) {
        SortedMap<String, String> environment = new TreeMap<>(command.environment());
        if (!command.secrets().isEmpty()) {
            String text = file.read();
            Key key = text == null ? null : key(text);
            command.secrets().forEach((name, secret) -> environment.put(name, decrypt(name, secret, key)));
        }
        return environment;
    }

    private String decrypt(String name, String secret, @Nullable Key key) {
        String[] parts = secret.split("\\.", -1);
        if (parts.length != 3 || !parts[0].equals(VERSION)) {
            throw new IllegalStateException("cannot decrypt secret " + name + ": it has no value here");
        }
        if (key == null || !parts[1].equals(key.id)) {
            throw new IllegalStateException("cannot decrypt secret " + name + ": its key " + parts[1] + " is not in "
                    + file.path() + "; restore that file, or submit the application again");
        }
        try {
            byte[] all = Base64.getDecoder().decode(parts[2]);
            if (all.length < NONCE_BYTES + TAG_BITS / Byte.SIZE) {
                throw new IllegalArgumentException("too short");
            }
            Cipher cipher = cipher(Cipher.DECRYPT_MODE, key, Arrays.copyOf(all, NONCE_BYTES), name);
            return new String(cipher.doFinal(all, NONCE_BYTES, all.length - NONCE_BYTES), UTF_8);
        } catch (GeneralSecurityException | IllegalArgumentException damaged) {
            throw new IllegalStateException("cannot decrypt secret " + name + ": it is damaged");
        }
    }

    private static Cipher cipher(int mode, Key key, byte[] nonce, String name) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(TRANSFORMATION);
        cipher.init(mode, key.spec, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(name.getBytes(UTF_8));
        return cipher;
    }
}
