package dev.sluice.cli;

import dev.sluice.server.access.AccessSettings;
import dev.sluice.server.access.OidcSettings;
import dev.sluice.server.route.Role;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for how callers reach a server, and how it knows them. */
final class AccessOptions {

    @Option(
            names = "--insecure",
            description = "Let everyone on this machine do everything over TCP, without a token; for development. Only"
                    + " with a loopback address; as root only with --allow-root.")
    private boolean insecure;

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
            names = "--trusted-proxies",
            paramLabel = "USER",
            split = ",",
            description = "Users who may speak for others with the header Sluice-User, such as that of a web portal;"
                    + " those others are submitters at most.")
    private Set<String> trustedProxies = Set.of();

    @Mixin
    private ListenOptions listen = new ListenOptions();

    /**
     * Returns the settings; throws {@link UserException} if an option is missing or has no effect.
     *
     * @param data the data folder
     */
    AccessSettings settings(Path data) {
        OidcSettings oidc = oidc();
        if (insecure && oidc != null) {
            throw new UserException("--insecure and --oidc-issuer exclude each other: remove one");
        }
        for (String user : trustedProxies) {
            if (user.isEmpty() || user.chars().anyMatch(c -> c <= ' ')) {
                throw new UserException("--trusted-proxies: \"" + user + "\" is not the name of a user");
            }
        }
        try {
            return new AccessSettings(insecure, oidc, listen.settings(data), trustedProxies);
        } catch (IllegalArgumentException e) {
            throw new UserException(String.valueOf(e.getMessage()));
        }
    }

    private @Nullable OidcSettings oidc() {
        if (issuer == null) {
            String useless = audience != null
                    ? "--oidc-audience"
                    : userClaim != null
                            ? "--oidc-user-claim"
                            : groupsClaim != null ? "--oidc-groups-claim" : roles != null ? "--oidc-role" : null;
            if (useless != null) {
                throw new UserException(useless + " requires --oidc-issuer");
            }
            return null;
        }
        if (audience == null) {
            throw new UserException("--oidc-issuer requires --oidc-audience");
        }
        if (roles == null) {
            throw new UserException("--oidc-issuer requires --oidc-role, such as --oidc-role '*=submitter'");
        }
        try {
            return new OidcSettings(
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
    }
}
