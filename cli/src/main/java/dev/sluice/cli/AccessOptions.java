package dev.sluice.cli;

import dev.sluice.server.access.AccessSettings;
import dev.sluice.server.access.OidcSettings;
import dev.sluice.server.route.Role;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for how a server knows its callers. */
final class AccessOptions {

    @Option(
            names = "--authenticate",
            description = "Refuse requests without a token, except those for health and version. Default: they may do"
                    + " everything.")
    private boolean authenticate;

    @Option(
            names = "--oidc-issuer",
            paramLabel = "URL",
            description = "Accept tokens of this OpenID Connect issuer (ES256 or RS256); implies --authenticate.")
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

    /** Returns the settings; throws {@link UserException} if an option is missing or has no effect. */
    AccessSettings settings() {
        if (issuer == null) {
            String useless = audience != null
                    ? "--oidc-audience"
                    : userClaim != null
                            ? "--oidc-user-claim"
                            : groupsClaim != null ? "--oidc-groups-claim" : roles != null ? "--oidc-role" : null;
            if (useless != null) {
                throw new UserException(useless + " requires --oidc-issuer");
            }
            return new AccessSettings(!authenticate, null);
        }
        if (audience == null) {
            throw new UserException("--oidc-issuer requires --oidc-audience");
        }
        if (roles == null) {
            throw new UserException("--oidc-issuer requires --oidc-role, such as --oidc-role '*=submitter'");
        }
        try {
            return new AccessSettings(
                    false,
                    new OidcSettings(
                            new URI(issuer),
                            audience,
                            userClaim == null ? OidcSettings.USER_CLAIM : userClaim,
                            groupsClaim == null ? OidcSettings.GROUPS_CLAIM : groupsClaim,
                            roles));
        } catch (URISyntaxException e) {
            throw new UserException("--oidc-issuer: \"" + issuer + "\" is not an address");
        } catch (IllegalArgumentException e) {
            throw new UserException("--oidc-issuer: " + e.getMessage());
        }
    }
}
