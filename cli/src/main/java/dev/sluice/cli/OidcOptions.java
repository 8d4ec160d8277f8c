package dev.sluice.cli;

import dev.sluice.server.access.OidcSettings;
import dev.sluice.server.access.SignInSettings;
import dev.sluice.server.route.Role;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for an OpenID Connect issuer, whose tokens a server accepts and where people sign in to the page. */
final class OidcOptions {

    @Option(
            names = "--oidc-issuer",
            paramLabel = "URL",
            description = "Accept tokens of this OpenID Connect issuer (ES256 or RS256).")
    private @Nullable String issuer;

    @Option(
            names = "--oidc-audience",
            paramLabel = "AUDIENCE",
            description = "Audience that a token of the issuer must have.")
    private @Nullable String audience;

    @Option(
            names = "--oidc-user-claim",
            paramLabel = "CLAIM",
            description = "Claim with the user. Default: " + OidcSettings.USER_CLAIM + ".")
    private @Nullable String userClaim;

    @Option(
            names = "--oidc-groups-claim",
            paramLabel = "CLAIM",
            description = "Claim with the groups of the user. Default: " + OidcSettings.GROUPS_CLAIM + ".")
    private @Nullable String groupsClaim;

    @Option(
            names = "--oidc-role",
            paramLabel = "GROUP=ROLE",
            description = "Role of a group's users: viewer, submitter, agent, operator or admin; the highest role"
                    + " counts. The group * is every user. Repeatable.")
    private @Nullable TreeMap<String, Role> roles;

    @Option(
            names = "--oidc-client",
            paramLabel = "ID",
            description = "Let people sign in to the page at the issuer, where this server is registered with this"
                    + " client id (authorization code with PKCE). Requires --oidc-redirect.")
    private @Nullable String client;

    @Option(
            names = "--oidc-client-secret-file",
            paramLabel = "FILE",
            description = "File with the secret of the client, unless the issuer knows it as a public client.")
    private @Nullable Path secretFile;

    @Option(
            names = "--oidc-redirect",
            paramLabel = "URL",
            description = "Address to which the issuer leads browsers back, as registered there: that of this server,"
                    + " followed by " + SignInSettings.REDIRECT_PATH + ".")
    private @Nullable String redirect;

    @Option(
            names = "--oidc-scope",
            paramLabel = "SCOPE",
            split = ",",
            description = "Scopes to ask the issuer for, with openid among them. Default: openid,profile.")
    private @Nullable List<String> scopes;

    /** Returns the settings, null without an issuer; throws {@link UserException} if an option is missing or useless. */
    @Nullable OidcSettings settings() {
        if (issuer == null) {
            requireNone("--oidc-issuer");
            return null;
        }
        if (audience == null) {
            throw new UserException("--oidc-issuer requires --oidc-audience");
        }
        if (roles == null) {
            throw new UserException("--oidc-issuer requires --oidc-role, such as --oidc-role '*=submitter'");
        }
        OidcSettings settings;
        try {
            settings = new OidcSettings(
                    new URI(issuer),
                    audience,
                    userClaim == null ? OidcSettings.USER_CLAIM : userClaim,
                    groupsClaim == null ? OidcSettings.GROUPS_CLAIM : groupsClaim,
                    roles);
        } catch (URISyntaxException e) {
            throw new UserException("--oidc-issuer: \"" + issuer + "\" is not an address");
        } catch (IllegalArgumentException e) {
            throw new UserException("--oidc-issuer: " + e.getMessage());
        }
        return settings.withSignIn(signIn());
    }

    private void requireNone(String required) {
        String useless = audience != null
                ? "--oidc-audience"
                : userClaim != null
                        ? "--oidc-user-claim"
                        : groupsClaim != null ? "--oidc-groups-claim" : roles != null ? "--oidc-role" : null;
        if (useless == null) {
            useless = client != null ? "--oidc-client" : withoutClient();
        }
        if (useless != null) {
            throw new UserException(useless + " requires " + required);
        }
    }

    /** Returns an option that has no effect without a client, or null. */
    private @Nullable String withoutClient() {
        return secretFile != null
                ? "--oidc-client-secret-file"
                : redirect != null ? "--oidc-redirect" : scopes != null ? "--oidc-scope" : null;
    }

    private @Nullable SignInSettings signIn() {
        if (client == null) {
            String useless = withoutClient();
            if (useless != null) {
                throw new UserException(useless + " requires --oidc-client");
            }
            return null;
        }
        if (redirect == null) {
            throw new UserException("--oidc-client requires --oidc-redirect, such as https://lab.example.org:7450"
                    + SignInSettings.REDIRECT_PATH);
        }
        try {
            SignInSettings settings = new SignInSettings(
                    client, secretFile, new URI(redirect), scopes == null ? SignInSettings.SCOPES : scopes);
            String unused = settings.secret(); // so that a missing file is noticed at the start
            return settings;
        } catch (URISyntaxException e) {
            throw new UserException("--oidc-redirect: \"" + redirect + "\" is not an address");
        } catch (IllegalArgumentException e) {
            throw new UserException("--oidc-client: " + e.getMessage());
        } catch (NoSuchFileException e) {
            throw new UserException("--oidc-client-secret-file: " + secretFile + " does not exist");
        } catch (IOException e) {
            throw new UserException("--oidc-client-secret-file: cannot read " + secretFile + ": " + e.getMessage());
        }
    }
}
