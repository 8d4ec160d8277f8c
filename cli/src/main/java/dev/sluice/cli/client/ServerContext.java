package dev.sluice.cli.client;

import org.jspecify.annotations.Nullable;

/**
 * A named server.
 *
 * @param server the address
 * @param partition the partition to use, or null for the default
 */
public record ServerContext(
        String name, String server, @Nullable String partition) {}
