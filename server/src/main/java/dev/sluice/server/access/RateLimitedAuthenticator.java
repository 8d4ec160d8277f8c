package dev.sluice.server.access;

import dev.sluice.server.http.Authenticator;
import dev.sluice.server.http.Credentials;
import dev.sluice.server.http.Peer;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits the requests of each caller that another authenticator knows, and the invalid credentials of each address.
 *
 * <p>A caller is a user, or an address where no user is known. An address from which too many invalid credentials came
 * is refused for a while, except with credentials that were valid before: so others at the same address keep working.
 */
public final class RateLimitedAuthenticator implements Authenticator {

    /** Invalid credentials that an address may send at once. */
    static final int FAILURES_MAX = 20;

    /** Further invalid credentials that an address may send per second. */
    static final double FAILURES_PER_SECOND = 0.2;

    /** Number of users and addresses with a limit of their own. */
    static final int CALLERS_MAX = 20_000;

    /** Number of valid credentials remembered, those used most recently. */
    static final int ACCEPTED_MAX = 2_000;

    /** Longer credentials are not remembered. */
    private static final int ACCEPTED_LENGTH_MAX = 4_096;

    /** Bytes of an IPv6 address that name its network, the whole of which one host may have. */
    private static final int NETWORK_BYTES = 8;

    private final Authenticator authenticator;
    private final @Nullable RateLimit limit;
    private final @Nullable RateLimiter requests;
    private final RateLimiter failures;
    private final Refusals refusals;
    private final Set<String> accepted = Collections.synchronizedSet(Collections.newSetFromMap(new AcceptedMap()));

    /** Is notified of refused requests. */
    public interface Refusals {

        /** A caller has sent too many requests. */
        void tooManyRequests();

        /** An address has sent too many invalid credentials. */
        void tooManyFailures();
    }

    /** Forgets what was used least recently. */
    private static final class AcceptedMap extends LinkedHashMap<String, Boolean> {

        private static final long serialVersionUID = 1;

        AcceptedMap() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > ACCEPTED_MAX;
        }
    }

    /**
     * @param limit the limit of requests, or null for none
     * @param nanos a monotonic clock
     */
    public RateLimitedAuthenticator(
            Authenticator authenticator, @Nullable RateLimit limit, Refusals refusals, LongSupplier nanos) {
        this.authenticator = authenticator;
        this.limit = limit;
        this.requests = limit == null
                ? null
                : new RateLimiter(limit.perSecond(), limit.perSecond() * RateLimit.BURST_SECONDS, CALLERS_MAX, nanos);
        this.failures = new RateLimiter(FAILURES_PER_SECOND, FAILURES_MAX, CALLERS_MAX, nanos);
        this.refusals = refusals;
    }

    @Override
    public Caller authenticate(Credentials credentials) {
        lookUp(credentials);
        requireFewFailures(credentials);
        Caller caller;
        try {
            caller = authenticator.authenticate(credentials);
        } catch (ProblemException problem) {
            throw counted(problem, credentials);
        }
        return limited(caller, credentials);
    }

    @Override
    public @Nullable Caller known(Credentials credentials) {
        Peer peer = credentials.peer();
        if (peer != null && peer.knownUser() == null) {
            return null;
        }
        requireFewFailures(credentials);
        Caller caller;
        try {
            caller = authenticator.known(credentials);
        } catch (ProblemException problem) {
            throw counted(problem, credentials);
        }
        return caller == null ? null : limited(caller, credentials);
    }

    /** Does not count, so that an event stream uses nothing of its caller's limit. */
    @Override
    public Caller again(Credentials credentials) {
        return authenticator.again(credentials);
    }

    /** Asks for the user at the other end of a socket, whose failures are counted; may block. */
    private static void lookUp(Credentials credentials) {
        Peer peer = credentials.peer();
        if (peer != null) {
            try {
                String unused = peer.user();
            } catch (IOException e) {
                throw BearerAuthenticator.unauthenticated("cannot find out who the caller is: " + e.getMessage());
            }
        }
    }

    /** Returns whose failures are counted together: those of a user of a socket, else of a network. */
    private static String origin(Credentials credentials) {
        Peer peer = credentials.peer();
        return peer == null ? network(credentials.address()) : "socket of user " + peer.knownUser();
    }

    private void requireFewFailures(Credentials credentials) {
        String authorization = credentials.authorization();
        if (authorization == null || accepted.contains(authorization)) {
            return;
        }
        long delay = failures.delay(origin(credentials));
        if (delay > 0) {
            refusals.tooManyFailures();
            throw tooMany(
                    "too many invalid tokens from "
                            + (credentials.peer() == null ? credentials.address() : origin(credentials))
                            + "; tokens that were valid before are accepted",
                    delay);
        }
    }

    private ProblemException counted(ProblemException problem, Credentials credentials) {
        String authorization = credentials.authorization();
        if (problem.kind() == ProblemKind.UNAUTHENTICATED && authorization != null) {
            accepted.remove(authorization);
            failures.acquire(origin(credentials));
        }
        return problem;
    }

    private Caller limited(Caller caller, Credentials credentials) {
        boolean byToken = caller.source() == Caller.Source.TOKEN || caller.source() == Caller.Source.OIDC;
        String authorization = credentials.authorization();
        if (byToken && authorization != null && authorization.length() <= ACCEPTED_LENGTH_MAX) {
            accepted.add(authorization);
        }
        boolean counts = byToken
                || caller.source() == Caller.Source.NONE
                || (caller.source() == Caller.Source.SOCKET && caller.role() != Role.ADMIN);
        if (requests != null && limit != null && (counts || limit.everybody())) {
            // a name that nothing verifies could be another one in each request
            boolean named = caller.source() != Caller.Source.UNVERIFIED
                    && !caller.user().isEmpty();
            long delay =
                    requests.acquire(named ? "user " + caller.user() : "address " + network(credentials.address()));
            if (delay > 0) {
                refusals.tooManyRequests();
                throw tooMany(
                        "more than " + limit.perSecond() + " requests per second from "
                                + (named ? "user " + caller.user() : credentials.address()),
                        delay);
            }
        }
        return caller;
    }

    private static ProblemException tooMany(String detail, long delay) {
        Duration retry = Duration.ofSeconds(
                Duration.ofNanos(delay).plusNanos(999_999_999).toSeconds());
        return ProblemException.retry(ProblemKind.BUSY, detail, retry, null);
    }

    /** Returns an IPv4 address as it is, and the network of an IPv6 address. */
    static String network(String address) {
        if (address.indexOf(':') < 0) {
            return address;
        }
        try {
            byte[] bytes = InetAddress.getByName(address).getAddress();
            return bytes.length <= NETWORK_BYTES
                    ? address
                    : HexFormat.of().formatHex(Arrays.copyOf(bytes, NETWORK_BYTES));
        } catch (UnknownHostException e) {
            return address;
        }
    }
}
