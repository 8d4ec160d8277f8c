package dev.sluice.server.access;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How people sign in to the page at an OpenID Connect issuer.
 *
 * @param client the id of this server at the issuer
 * @param secretFile the file with the secret of this server at the issuer; null for a public client
 * @param redirect the address of this server to which the issuer leads browsers back
 * @param scopes what the server asks the issuer for
 */
public record SignInSettings(String client, @Nullable Path secretFile, URI redirect, List<String> scopes) {

    /** The path of {@code redirect}. */
    public static final String REDIRECT_PATH = "/ui/sign-in/callback";

    /** The default of {@code scopes}. */
    public static final List<String> SCOPES = List.of("openid", "profile");

    private static final int SECRET_LENGTH_MAX = 4096;
    private static final Pattern SCOPE = Pattern.compile("[\\x21\\x23-\\x5B\\x5D-\\x7E]+");

    /** Throws {@link IllegalArgumentException} if a value is invalid. */
    public SignInSettings {
        scopes = List.copyOf(scopes);
        if (client.isBlank()) {
            throw new IllegalArgumentException("the id of the client is empty");
        }
        OidcSettings.requireSecure("redirect address", redirect);
        if (!REDIRECT_PATH.equals(redirect.getRawPath())
                || redirect.getRawQuery() != null
                || redirect.getRawFragment() != null
                || redirect.getRawUserInfo() != null) {
            throw new IllegalArgumentException("redirect address " + redirect + " must be that of the server, followed"
                    + " by " + REDIRECT_PATH + ", such as https://lab.example.org:7450" + REDIRECT_PATH);
        }
        for (String scope : scopes) {
            if (!SCOPE.matcher(scope).matches()) {
                throw new IllegalArgumentException("\"" + scope + "\" is not a scope");
            }
        }
        if (!scopes.contains("openid")) {
            throw new IllegalArgumentException("the scopes must contain openid");
        }
    }

    /** Returns the secret as it is now in the file; null if there is none. */
    public @Nullable String secret() throws IOException {
        Path file = secretFile;
        if (file == null) {
            return null;
        }
        if (Files.size(file) > SECRET_LENGTH_MAX) {
            throw new IOException("is larger than " + SECRET_LENGTH_MAX + " bytes");
        }
        String secret = Files.readString(file, StandardCharsets.UTF_8).strip();
        if (secret.isEmpty()) {
            throw new IOException("is empty");
        }
        return secret;
    }
}
