package dev.sluice.server.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/** A connection with its prepared statements, which stay open as long as it does. */
final class Session implements AutoCloseable {

    private final Connection connection;
    private final boolean explicit;
    private final Map<String, PreparedStatement> statements = new LinkedHashMap<>();

    /**
     * A session of a connection. Where the connection commits by itself, transactions are begun and ended by statements of SQLite: its driver would begin
     * the next one, with the lock on all of the database, as soon as one has ended.
     */
    Session(Connection connection) throws SQLException {
        this.connection = connection;
        explicit = connection.getAutoCommit();
    }

    /** The statement with this text; the same every time, so it must have done with before it is asked for again. */
    PreparedStatement statement(String sql) throws SQLException {
        PreparedStatement statement = statements.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            statements.put(sql, statement);
        }
        return statement;
    }

    /** Executes a statement with whole numbers; returns how many rows it changed. */
    int update(String sql, long... numbers) throws SQLException {
        return with(sql, numbers).executeUpdate();
    }

    /** The whole number that a query finds, or another one if it finds none. */
    long number(String sql, long otherwise, long... numbers) throws SQLException {
        try (ResultSet row = with(sql, numbers).executeQuery()) {
            if (!row.next()) {
                return otherwise;
            }
            long number = row.getLong(1);
            return row.wasNull() ? otherwise : number;
        }
    }

    private PreparedStatement with(String sql, long... numbers) throws SQLException {
        PreparedStatement statement = statement(sql);
        for (int i = 0; i < numbers.length; i++) {
            statement.setLong(i + 1, numbers[i]);
        }
        return statement;
    }

    void begin() throws SQLException {
        if (explicit) {
            statement("BEGIN IMMEDIATE").execute();
        }
    }

    void commit() throws SQLException {
        if (explicit) {
            statement("COMMIT").execute();
        } else {
            connection.commit();
        }
    }

    void rollback() throws SQLException {
        if (explicit) {
            statement("ROLLBACK").execute();
        } else {
            connection.rollback();
        }
    }

    /** Closes the connection, which cannot fail: whatever is still open is rolled back by the database. */
    @Override
    public void close() {
        for (PreparedStatement statement : statements.values()) {
            closeQuietly(statement);
        }
        statements.clear();
        closeQuietly(connection);
    }

    private static void closeQuietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            // It has failed before, and that has been told.
        }
    }
}
