package dev.sluice.runtime.journal;

import java.time.Instant;

/**
 * An access token as it is stored: without its secret.
 *
 * @param id the unique public id
 * @param digest the SHA-256 digest of the secret, in lower-case hexadecimal digits
 * @param name what it is for; may be empty
 * @param user the user whom it authenticates
 * @param role the wire name of the most that it permits
 * @param created when it was created
 * @param expires the first instant at which it is no longer valid
 */
public record AccessToken(
        String id, String digest, String name, String user, String role, Instant created, Instant expires) {}
