package dev.sluice.server.access;

import dev.sluice.server.access.SystemGroups.LookupException;
import dev.sluice.server.http.Authenticator;
import dev.sluice.server.http.Credentials;
import dev.sluice.server.http.Peer;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Knows callers by the token of a request, else by the user at the other end of a Unix socket: the server's own user
 * and root are admins, others submitters. A trusted proxy may speak for other users, who then are submitters at most.
 * Users of a socket or an access token are members of the groups that the system says, users of an issuer of those in
 * their token.
 */
public final class CallerAuthenticator implements Authenticator {

    /** Maximum number of callers that are looked up at a time, so that others find a free thread: most of 256. */
    private static final int LOOKUPS_MAX = 192;

    /** Users for whom no proxy may speak: as them tasks could change the server. */
    private static final Set<String> PRIVILEGED = Set.copyOf(List.of("root", System.getProperty("user.name", "")));

    private static final Duration RETRY = Duration.ofSeconds(5);

    private final Authenticator tokens;
    private final SystemGroups groups;
    private final Set<String> trustedProxies;
    private final Semaphore lookups = new Semaphore(LOOKUPS_MAX);

    /**
     * @param tokens knows callers over TCP, and those with a token
     * @param trustedProxies users who may speak for others
     */
    public CallerAuthenticator(Authenticator tokens, Set<String> trustedProxies) {
        this(tokens, trustedProxies, new SystemGroups());
    }

    CallerAuthenticator(Authenticator tokens, Set<String> trustedProxies, SystemGroups groups) {
        this.tokens = tokens;
        this.trustedProxies = Set.copyOf(trustedProxies);
        this.groups = groups;
    }

    @Override
    public Caller authenticate(Credentials credentials) {
        if (!lookups.tryAcquire()) {
            throw ProblemException.retry(
                    ProblemKind.UNAVAILABLE, "too many callers are looked up, retry later", RETRY, null);
        }
        try {
            Peer peer = socket(credentials);
            Caller caller = peer == null ? withGroups(tokens.authenticate(credentials)) : ofSocket(peer);
            String other = other(caller, credentials);
            return other == null ? caller : behind(caller, other, groups(other, false));
        } finally {
            lookups.release();
        }
    }

    @Override
    public @Nullable Caller known(Credentials credentials) {
        Peer peer = socket(credentials);
        Caller caller = peer == null ? withKnownGroups(tokens.known(credentials)) : knownOfSocket(peer);
        String other = caller == null ? null : other(caller, credentials);
        if (caller == null || other == null) {
            return caller;
        }
        List<String> known = groups.known(other);
        return known == null ? null : behind(caller, other, known);
    }

    /** Returns the other end of a socket if it identifies the caller, which a token would do instead. */
    private static @Nullable Peer socket(Credentials credentials) {
        String authorization = credentials.authorization();
        return authorization == null || authorization.isBlank() ? credentials.peer() : null;
    }

    private Caller ofSocket(Peer peer) {
        try {
            String user = peer.user();
            return caller(peer, user, groups(user, peer.isPrivileged(user)));
        } catch (IOException e) {
            throw BearerAuthenticator.unauthenticated("cannot find out who the caller is: " + e.getMessage());
        }
    }

    private Caller withGroups(Caller caller) {
        return caller.source() == Caller.Source.TOKEN
                ? caller.in(groups(caller.user(), caller.role() == Role.ADMIN))
                : caller;
    }

    /** Returns the caller with its groups, or null if they have to be looked up. */
    private @Nullable Caller withKnownGroups(@Nullable Caller caller) {
        if (caller == null || caller.source() != Caller.Source.TOKEN) {
            return caller;
        }
        List<String> known = groups.known(caller.user());
        return known == null ? null : caller.in(known);
    }

    private @Nullable Caller knownOfSocket(Peer peer) {
        String user = peer.knownUser();
        List<String> known = user == null ? null : groups.known(user);
        return user == null || known == null ? null : caller(peer, user, known);
    }

    private static Caller caller(Peer peer, String user, List<String> groups) {
        return new Caller(user, groups, peer.isPrivileged(user) ? Role.ADMIN : Role.SUBMITTER, Caller.Source.SOCKET);
    }

    /** @param optional whether a failure counts as no groups: it must not keep those out who can repair it */
    private List<String> groups(String user, boolean optional) {
        try {
            return groups.of(user);
        } catch (LookupException e) {
            if (optional) {
                return List.of();
            }
            throw ProblemException.retry(ProblemKind.UNAVAILABLE, String.valueOf(e.getMessage()), RETRY, e);
        }
    }

    /** Returns the other user for whom a verified caller speaks, or null; throws if the caller may not do that. */
    private @Nullable String other(Caller caller, Credentials credentials) {
        String user = credentials.user();
        if (!caller.isVerified() || user.isEmpty() || user.equals(caller.user())) {
            return null;
        }
        if (!trustedProxies.contains(caller.user())) {
            throw forbidden(
                    caller,
                    user,
                    ": remove the header " + Call.ACTOR_HEADER + ", or name " + caller.user()
                            + " in --trusted-proxies of the server");
        }
        if (PRIVILEGED.contains(user)) {
            throw forbidden(caller, user, ", who administers the server");
        }
        return user;
    }

    private static ProblemException forbidden(Caller caller, String user, String why) {
        return ProblemException.of(
                ProblemKind.FORBIDDEN, "user " + caller.user() + " cannot act as user " + user + why);
    }

    private static Caller behind(Caller proxy, String user, List<String> groups) {
        Role role = proxy.role().includes(Role.SUBMITTER) ? Role.SUBMITTER : proxy.role();
        return new Caller(user, groups, role, proxy.source(), proxy.user(), proxy.expires());
    }
}
