package dev.sluice.cli.client;

import org.jspecify.annotations.Nullable;

/**
 * A server that somebody works with, under a name.
 *
 * @param server its address
 * @param partition the partition that is meant where none is named; null: the default one
 */
public record ServerContext(
        String name, String server, @Nullable String partition) {}
