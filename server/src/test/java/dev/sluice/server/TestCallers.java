package dev.sluice.server;

import dev.sluice.server.http.Authenticator;
import dev.sluice.server.http.Credentials;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.Role;
import java.util.Arrays;
import java.util.List;

/** An authenticator that believes tokens such as {@code ada:submitter:dev,ops}: user, role and groups. */
final class TestCallers implements Authenticator {

    private static final String BEARER = "Bearer ";

    /** Returns the header of a request by this caller. */
    static String[] header(String caller) {
        return new String[] {"Authorization", BEARER + caller};
    }

    @Override
    public Caller authenticate(Credentials credentials) {
        String header = credentials.authorization();
        if (header == null) {
            return Caller.UNKNOWN;
        }
        String[] parts = header.substring(BEARER.length()).split(":", -1);
        Role role = Arrays.stream(Role.values())
                .filter(each -> each.wireName().equals(parts[1]))
                .findAny()
                .orElseThrow();
        List<String> groups = parts.length < 3 ? List.of() : List.of(parts[2].split(","));
        return new Caller(parts[0], groups, role, Caller.Source.TOKEN);
    }
}
