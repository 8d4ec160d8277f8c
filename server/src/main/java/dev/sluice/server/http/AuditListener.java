package dev.sluice.server.http;

import dev.sluice.server.route.Caller;
import dev.sluice.server.route.Route;
import org.jspecify.annotations.Nullable;

/** Is notified of every answered request and its caller. */
@FunctionalInterface
public interface AuditListener {

    /**
     * Receives an answered request; must not block.
     *
     * @param caller who sent it, or null if that could not be found out
     * @param address the address it came from
     * @param target its path
     * @param hasChanged whether it succeeded and, if its route changes something, has done so
     * @param detail what was done, or why it was refused; null for nothing
     */
    void answered(
            @Nullable Caller caller,
            String address,
            Route route,
            String target,
            int status,
            boolean hasChanged,
            @Nullable String detail);
}
