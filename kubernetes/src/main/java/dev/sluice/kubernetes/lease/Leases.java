package dev.sluice.kubernetes.lease;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The one lease of an election, in the API server. */
interface Leases {

    /** Returns the lease, or null if it does not exist. */
    @Nullable Lease read() throws IOException;

    /** Returns a lease that does not exist yet. */
    Lease blank();

    /** Creates the lease; returns it, or null if it exists. */
    @Nullable Lease create(Lease lease) throws IOException;

    /** Writes the lease; returns it, or null if it was changed by somebody else. */
    @Nullable Lease replace(Lease lease) throws IOException;
}
