package dev.sluice.server.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/** A connection with its prepared statements, which stay open until it is closed. */
final class Session implements AutoCloseable {

    private final Connection connection;
    private final boolean explicit;
    private final Map<String, PreparedStatement> statements = new LinkedHashMap<>();

    /**
     * Creates a session. If the connection is in autocommit mode, transactions use SQLite's statements: its driver
     * would otherwise start the next transaction, with a lock on the whole database, right after the previous one.
     */
    Session(Connection connection) throws SQLException {
        this.connection = connection;
        explicit = connection.getAutoCommit();
    }

    /** Returns the cached statement of this text; finish using it before requesting it again. */
    PreparedStatement statement(String sql) throws SQLException {
        PreparedStatement statement = statements.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            statements.put(sql, statement);
        }
        return statement;
    }

    /** Executes a statement with integer parameters; returns the number of rows changed. */
    int update(String sql, long... numbers) throws SQLException {
        return with(sql, numbers).executeUpdate();
    }

    /** Returns the integer that a query selects, or {@code otherwise} if there is no row. */
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

    /** Closes the connection; never fails, because the database rolls back whatever is open. */
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
            // the connection failed before, and that was reported
        }
    }
}
