package dev.sluice.server.store;

import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoreException.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/**
 * Migrates the tables to the current version. Flyway takes most of a second even if there is nothing to do, so its
 * history table is read first and Flyway runs only if a migration is missing.
 */
final class Schema {

    /** The version of the row format; increased when older programs cannot read what newer ones write. */
    static final long FORMAT = 1;

    private static final String HISTORY = "flyway_schema_history";

    private Schema() {}

    /** Migrates the tables, on separate connections. */
    static void prepare(Database database) throws StoreException {
        try (Connection connection = database.migrators().getConnection()) {
            if (!isCurrent(database, connection)) {
                migrate(database);
                firstRows(connection);
            }
            checkFormat(database, connection);
        } catch (SQLException e) {
            throw Failures.of(database, "prepare the tables", e);
        }
    }

    /** Returns whether the tables need no migration. */
    static boolean isCurrent(Database database, Connection connection) throws SQLException, StoreException {
        List<String> tables = strings(connection, database.dialect().tables());
        if (tables.isEmpty()) {
            return false;
        }
        if (!tables.contains(HISTORY)) {
            throw new StoreException(
                    Kind.UNUSABLE,
                    database.name() + " contains tables of another program, such as " + tables.get(0)
                            + ". Use a dedicated folder or schema for Sluice");
        }
        int newest = 0;
        for (String version :
                strings(connection, "SELECT version FROM " + HISTORY + " WHERE version IS NOT NULL AND success")) {
            newest = Math.max(newest, versionOf(database, version));
        }
        if (newest > database.dialect().version()) {
            throw newer(database, newest);
        }
        return newest == database.dialect().version()
                && !strings(connection, "SELECT name FROM meta").isEmpty();
    }

    private static int versionOf(Database database, String version) throws StoreException {
        try {
            return Integer.parseInt(version);
        } catch (NumberFormatException e) {
            throw new StoreException(
                    Kind.UNUSABLE,
                    database.name() + " has tables of unknown version " + version
                            + ". Use the version of Sluice that created them",
                    e);
        }
    }

    private static void migrate(Database database) throws SQLException, StoreException {
        try {
            Flyway.configure()
                    .dataSource(database.migrators())
                    .locations(database.dialect().migrations().toArray(String[]::new))
                    .placeholders(database.dialect().placeholders())
                    .failOnMissingLocations(true)
                    .load()
                    .migrate();
        } catch (FlywayException e) {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof SQLException error) {
                    throw error;
                }
            }
            throw new StoreException(
                    Kind.UNUSABLE, "cannot prepare the tables in " + database.name() + ": " + Failures.reason(e), e);
        }
    }

    private static void firstRows(Connection connection) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING")) {
            connection.setAutoCommit(false);
            insert(insert, "format", FORMAT);
            insert(insert, "made", Columns.nanos(Instant.now()));
            insert(insert, "discarded", 0);
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    private static void insert(PreparedStatement insert, String name, long value) throws SQLException {
        insert.setString(1, name);
        insert.setLong(2, value);
        insert.executeUpdate();
    }

    private static void checkFormat(Database database, Connection connection) throws SQLException, StoreException {
        List<String> format = strings(connection, "SELECT CAST(value AS TEXT) FROM meta WHERE name = 'format'");
        if (format.size() != 1) {
            throw new StoreException(Kind.DAMAGED, database.name() + " has no format number. Restore a backup");
        }
        if (Long.parseLong(format.get(0)) > FORMAT) {
            throw newer(database, Long.parseLong(format.get(0)));
        }
    }

    private static StoreException newer(Database database, long version) {
        return new StoreException(
                Kind.UNUSABLE,
                database.name() + " was written by a newer version of Sluice (format " + version
                        + "). Use that version");
    }

    private static List<String> strings(Connection connection, String sql) throws SQLException {
        List<String> strings = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement(sql);
                ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                strings.add(rows.getString(1));
            }
        }
        return strings;
    }
}
