package dev.sluice.server.store;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoreException.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A journal in a schema of a PostgreSQL database. An advisory lock of the writer's session gives exclusive write
 * access: it is released when the connection is lost, and acquired again by the next one. Needs real sessions:
 * connection poolers in transaction mode do not work.
 *
 * <p>Each store that opens the journal increments an epoch, and each transaction locks the row with it. So a program
 * that was stopped while another one took over writes nothing, whatever became of its connection and its lock.
 */
final class PostgresDatabase implements Database {

    /** The first half of the lock's key, "SLUI"; the second half is a hash of the schema. */
    private static final int LOCK = 0x534c5549;

    private static final int CONNECT_SECONDS = 10;
    private static final int ANSWER_SECONDS = 60;
    private static final int NAME_LENGTH_MAX = 63;
    private static final int LOCK_TRIES = 50;
    private static final long LOCK_PAUSE_MILLIS = 100;

    private final DatabaseAddress address;
    private final StoreOptions options;
    private final String self;
    private final PGSimpleDataSource writing;
    private final HikariDataSource readers;

    private long epoch;

    PostgresDatabase(DatabaseAddress address, StoreOptions options) {
        this.address = address;
        this.options = options;
        String start = "sluice " + ProcessHandle.current().pid() + "@";
        String end = " " + UUID.randomUUID().toString().substring(0, 8);
        String host = FolderLock.host();
        self = start
                + host.substring(0, Math.min(host.length(), NAME_LENGTH_MAX - start.length() - end.length()))
                + end;
        writing = source(self);
        PGSimpleDataSource reading = source("sluice reader");
        // transfer bytes in binary format from the first execution on
        reading.setPrepareThreshold(-1);
        readers = Readers.pool("sluice-postgresql", reading);
    }

    private PGSimpleDataSource source(String name) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        // set before the address is parsed, which may override it
        source.setConnectTimeout(CONNECT_SECONDS);
        source.setSocketTimeout(ANSWER_SECONDS);
        source.setTcpKeepAlive(true);
        source.setURL(address.url());
        if (address.user() != null) {
            source.setUser(address.user());
        }
        if (address.password() != null) {
            source.setPassword(address.password());
        }
        source.setApplicationName(name);
        source.setReWriteBatchedInserts(true);
        return source;
    }

    @Override
    public String name() {
        return address.toString();
    }

    @Override
    public Dialect dialect() {
        return Dialect.POSTGRESQL;
    }

    @Override
    public Connection connect(boolean again) throws SQLException, StoreException {
        Connection connection = writing.getConnection();
        try {
            checkServer(connection, again);
            acquireLock(connection, again);
            connection.setAutoCommit(false);
            return connection;
        } catch (SQLException | StoreException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private void checkServer(Connection connection, boolean again) throws SQLException, StoreException {
        if (isIn(connection, "SELECT pg_is_in_recovery()", "t")) {
            throw new StoreException(Kind.UNAVAILABLE, name() + " is a read-only standby");
        }
        if (!isIn(connection, "SHOW server_encoding", "UTF8")) {
            throw new StoreException(Kind.UNUSABLE, name() + " has the wrong encoding: it must be UTF8");
        }
        if (text(connection, "SELECT current_schema()") == null) {
            throw new StoreException(
                    Kind.UNUSABLE,
                    name()
                            + " has no current schema: create one with CREATE SCHEMA, and name it with"
                            + " currentSchema in the address");
        }
        if (isIn(connection, "SHOW synchronous_commit", "off")) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET synchronous_commit = on");
            }
        }
        if (!again && isIn(connection, "SHOW fsync", "off")) {
            options.notices().accept(name() + " has fsync off: acknowledged events may be lost if its machine crashes");
        }
    }

    private static boolean isIn(Connection connection, String sql, String expected) throws SQLException {
        return expected.equals(text(connection, sql));
    }

    private static @Nullable String text(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() ? row.getString(1) : null;
        }
    }

    private void acquireLock(Connection connection, boolean again) throws SQLException, StoreException {
        for (int i = 0; i < LOCK_TRIES; i++) {
            if (isIn(connection, "SELECT pg_try_advisory_lock(" + LOCK + ", hashtext(current_schema()))", "t")) {
                return;
            }
            releaseFormer(connection, options.takeOver() && !again);
            try {
                Thread.sleep(LOCK_PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        throw new StoreException(Kind.UNAVAILABLE, name() + " still holds the lock of a lost connection. Retrying");
    }

    @Override
    public void fence(Session session) throws SQLException, StoreException {
        PreparedStatement update = session.statement(
                "UPDATE writer SET epoch = epoch + 1, name = ?, since = clock_timestamp() WHERE one RETURNING epoch");
        update.setString(1, self);
        try (ResultSet row = update.executeQuery()) {
            if (!row.next()) {
                throw new StoreException(Kind.DAMAGED, name() + " has no epoch of its writer. Restore a backup");
            }
            epoch = row.getLong(1);
        }
    }

    @Override
    public void requireAccess(Session session) throws SQLException, StoreException {
        if (session.number("SELECT epoch FROM writer WHERE epoch = ? FOR SHARE", -1, epoch) == epoch) {
            return;
        }
        try (ResultSet row = session.statement("SELECT name, date_trunc('second', since)::text FROM writer")
                .executeQuery()) {
            throw new StoreException(
                    Kind.IN_USE,
                    name() + " was taken over by "
                            + (row.next() ? "\"" + row.getString(1) + "\" at " + row.getString(2) : "another server")
                            + ". This server must stop; it writes nothing more");
        }
    }

    /** The server ends a session some time after its connection: another store would find the lock held. */
    @Override
    public void release(Session session) throws SQLException {
        session.statement("SELECT pg_advisory_unlock_all()").execute();
    }

    /**
     * Terminates a lost session of this same store that the server has not noticed yet.
     *
     * @param takeOver whether to terminate a session of another process, too; otherwise it throws
     */
    private void releaseFormer(Connection connection, boolean takeOver) throws SQLException, StoreException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT activity.pid, activity.application_name, activity.client_addr::text, date_trunc('second',"
                        + " activity.backend_start)::text FROM pg_locks JOIN pg_stat_activity AS activity USING (pid)"
                        + " WHERE locktype = 'advisory' AND objsubid = 2 AND granted AND database = (SELECT oid FROM"
                        + " pg_database WHERE datname = current_database()) AND classid::bigint = ?"
                        + " AND objid::bigint = (hashtext(current_schema())::bigint & 4294967295)")) {
            select.setLong(1, LOCK);
            try (ResultSet row = select.executeQuery()) {
                if (!row.next()) {
                    return;
                }
                boolean isOwn = self.equals(row.getString(2));
                if (isOwn || takeOver) {
                    if (!isOwn) {
                        options.notices()
                                .accept("taking over " + name() + " from \"" + row.getString(2) + "\""
                                        + from(row.getString(3)));
                    }
                    text(connection, "SELECT pg_terminate_backend(" + row.getInt(1) + ")");
                    return;
                }
                throw new StoreException(
                        Kind.IN_USE,
                        name() + " is in use by \"" + row.getString(2) + "\"" + from(row.getString(3))
                                + ", connected since " + row.getString(4) + " (session " + row.getInt(1)
                                + " of the database). Stop it first, or use another schema");
            }
        }
    }

    private static String from(@Nullable String client) {
        return client == null ? "" : " from " + client.replaceFirst("/(32|128)$", "");
    }

    @Override
    public DataSource readers() {
        return readers;
    }

    @Override
    public DataSource migrators() {
        return source("sluice migration");
    }

    /**
     * Classifies by the class of the <a href="https://www.postgresql.org/docs/current/errcodes-appendix.html">error
     * code</a>.
     */
    @Override
    public Kind kindOf(SQLException error) {
        String state = stateOf(error);
        if (state.equals("53100")) {
            return Kind.FULL;
        }
        if (state.equals("XX001") || state.equals("XX002")) {
            return Kind.DAMAGED;
        }
        // transient: connections, conflicts, resources, operator intervention, system errors, a standby being promoted
        return switch (state.length() < 2 ? "" : state.substring(0, 2)) {
            case "", "08", "25", "40", "53", "55", "57", "58", "XX" -> Kind.UNAVAILABLE;
            default -> Kind.UNUSABLE;
        };
    }

    private static String stateOf(SQLException error) {
        String state = "";
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && sql.getSQLState() != null) {
                state = sql.getSQLState();
            }
        }
        return state;
    }

    @Override
    public boolean isUsableAfter(SQLException error) {
        String state = stateOf(error);
        return state.equals("57014")
                || switch (state.length() < 2 ? "" : state.substring(0, 2)) {
                    case "0A", "22", "23", "40", "42", "53", "54", "55" -> true;
                    default -> false;
                };
    }

    /** Does nothing: PostgreSQL guarantees the durability of commits. */
    @Override
    public void requireNotTruncated(long last) {}

    @Override
    public void committed(long last) {}

    @Override
    public void close() {
        readers.close();
    }
}
