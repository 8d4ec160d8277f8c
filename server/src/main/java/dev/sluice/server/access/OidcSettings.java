package dev.sluice.server.access;

import dev.sluice.server.route.Role;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An OpenID Connect issuer whose tokens a server accepts.
 *
 * @param issuer the issuer, exactly as in its tokens
 * @param audience the audience that a token must have
 * @param userClaim the claim with the user
 * @param groupsClaim the claim with the user's groups
 * @param roles the roles by group; {@link #EVERYONE} is every user of the issuer
 * @param signIn how people sign in to the page there; null if they cannot
 */
public record OidcSettings(
        URI issuer,
        String audience,
        String userClaim,
        String groupsClaim,
        SortedMap<String, Role> roles,
        @Nullable SignInSettings signIn) {

    /** The default of {@code userClaim}. */
    public static final String USER_CLAIM = "sub";

    /** The default of {@code groupsClaim}. */
    public static final String GROUPS_CLAIM = "groups";

    /** The key of {@code roles} that all users have. */
    public static final String EVERYONE = "*";

    /** Throws {@link IllegalArgumentException} if the issuer cannot be trusted or nobody would have a role. */
    public OidcSettings {
        roles = new TreeMap<>(roles);
        requireSecure("issuer", issuer);
        if (issuer.getQuery() != null || issuer.getFragment() != null) {
            throw new IllegalArgumentException("issuer " + issuer + " must not have a query or fragment");
        }
        if (roles.isEmpty()) {
            throw new IllegalArgumentException("no roles for the users of issuer " + issuer);
        }
    }

    /** Creates settings without signing in to the page. */
    public OidcSettings(
            URI issuer, String audience, String userClaim, String groupsClaim, SortedMap<String, Role> roles) {
        this(issuer, audience, userClaim, groupsClaim, roles, null);
    }

    /** Returns a copy with which people can sign in to the page. */
    public OidcSettings withSignIn(@Nullable SignInSettings newSignIn) {
        return new OidcSettings(issuer, audience, userClaim, groupsClaim, roles, newSignIn);
    }

    /** Throws unless an address has HTTPS or is on the loopback interface. */
    static void requireSecure(String what, URI address) {
        String host = address.getHost();
        boolean loopback =
                host != null && List.of("127.0.0.1", "localhost", "[::1]").contains(host);
        boolean secure = "https".equals(address.getScheme()) || ("http".equals(address.getScheme()) && loopback);
        if (host == null || !secure) {
            throw new IllegalArgumentException(what + " " + address + " must be an https address");
        }
    }

    /** Returns the highest role of a user with these groups. */
    Role roleOf(List<String> groups) {
        Role highest = roles.getOrDefault(EVERYONE, Role.ANYONE);
        for (Map.Entry<String, Role> each : roles.entrySet()) {
            if (groups.contains(each.getKey()) && each.getValue().compareTo(highest) > 0) {
                highest = each.getValue();
            }
        }
        return highest;
    }
}
