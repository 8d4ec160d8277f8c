package dev.sluice.server.http;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The user at the other end of a Unix socket, named by the kernel. Thread-safe. */
public final class Peer {

    private static final String ROOT = "root";

    private final UserLookup lookup;
    private final String serverUser;
    private volatile @Nullable String user;

    /** Asks the kernel for the user. */
    @FunctionalInterface
    public interface UserLookup {
        /**
         * Returns the user's name, or the number of one without a name; may block, because names can come from a
         * directory server.
         */
        String user() throws IOException;
    }

    /** @param serverUser the user of the server */
    public Peer(UserLookup lookup, String serverUser) {
        this.lookup = lookup;
        this.serverUser = serverUser;
    }

    /** Returns the user's name, or null if it has not been looked up. */
    public @Nullable String knownUser() {
        return user;
    }

    /** Returns the user's name, or the number of one without a name; may block. */
    public String user() throws IOException {
        String known = user;
        if (known == null) {
            known = lookup.user();
            user = known;
        }
        return known;
    }

    /** Returns whether a user can do everything that the server can: the server's own user, and root. */
    public boolean isPrivileged(String name) {
        return name.equals(serverUser) || name.equals(ROOT);
    }
}
