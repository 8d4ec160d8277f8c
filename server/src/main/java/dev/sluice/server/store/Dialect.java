package dev.sluice.server.store;

import java.util.List;
import java.util.Map;

/**
 * How the tables of the databases differ; the statements are the same.
 *
 * @param migrations the folders of the Flyway migrations, on the class path
 * @param placeholders the values of placeholders in the migrations
 * @param version the version of the newest migration
 * @param tables a query of the names of all tables
 * @param hasIndexHints whether statements name the index that they use
 */
record Dialect(
        List<String> migrations, Map<String, String> placeholders, int version, String tables, boolean hasIndexHints) {

    private static final String FOLDER = "classpath:dev/sluice/server/store/migrations/";

    static final Dialect SQLITE = new Dialect(
            List.of(FOLDER + "common"),
            Map.of(
                    "whole", "INTEGER",
                    "bytes", "BLOB",
                    "bycode", "",
                    "and_queue", ", queue",
                    "and_user", ", user_name",
                    "and_name", ", name"),
            16,
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
            true);

    static final Dialect POSTGRESQL = new Dialect(
            List.of(FOLDER + "common", FOLDER + "postgresql"),
            Map.of(
                    "whole", "BIGINT",
                    "bytes", "BYTEA",
                    "bycode", "COLLATE \"C\"",
                    "and_queue", "",
                    "and_user", "",
                    "and_name", ""),
            16,
            "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()",
            false);

    Dialect {
        migrations = List.copyOf(migrations);
        placeholders = Map.copyOf(placeholders);
    }

    /** Returns what follows the name of a table so that this index is used; empty if the name of the index is empty. */
    String indexedBy(String index) {
        return hasIndexHints && !index.isEmpty() ? " INDEXED BY " + index : "";
    }
}
