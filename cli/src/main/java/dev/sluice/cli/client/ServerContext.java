package dev.sluice.cli.client;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A named server.
 *
 * @param server the address
 * @param partition the partition to use, or null for the default
 * @param tokenFile the file with the access token for the server, or null
 * @param ca the file with the trusted issuers of its certificate, or null
 */
public record ServerContext(
        String name,
        String server,
        @Nullable String partition,
        @Nullable Path tokenFile,
        @Nullable Path ca) {}
