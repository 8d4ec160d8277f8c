package dev.sluice.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.runtime.journal.FinishedQuery;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.Retention;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoreException.Kind;
import dev.sluice.runtime.journal.StoredBatch;
import dev.sluice.server.testing.RestartableDatabase;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("slow")
final class PostgresStoreTest extends StoreContract {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private static EmbeddedPostgres server;

    private String database = "postgres";
    private String schema = "public";
    private final List<String> notices = new ArrayList<>();

    @BeforeAll
    static void startServer() throws Exception {
        // these tests kill processes, not machines: what the server has written survives without a sync
        server = EmbeddedPostgres.builder().setServerConfig("fsync", "off").start();
        execute("CREATE DATABASE made", "postgres");
        // Flyway takes most of a second, so migrate once
        Stores.open(DatabaseAddress.of(server.getJdbcUrl("postgres", "made"), null, Map.of()), StoreOptions.DEFAULT)
                .close();
    }

    @AfterAll
    static void stopServer() throws Exception {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        "54000, UNUSABLE", // an index row is too large
        "22021, UNUSABLE",
        "42P01, UNUSABLE",
        "P0001, UNUSABLE",
        "08006, UNAVAILABLE",
        "40001, UNAVAILABLE",
        "57P01, UNAVAILABLE",
        "25006, UNAVAILABLE", // read-only, like a standby
        "53100, FULL",
        "XX001, DAMAGED"
    })
    void error_transientOnly_isRetried(String state, Kind kind) throws Exception {
        DatabaseAddress address = DatabaseAddress.of("jdbc:postgresql://localhost/none", null, Map.of());
        PostgresDatabase unreached = new PostgresDatabase(address, StoreOptions.DEFAULT);
        assertThat(unreached.kindOf(new SQLException("no", state))).isEqualTo(kind);
        unreached.close();
    }

    @Override
    void prepare() throws Exception {
        database = "d" + DATABASES.incrementAndGet();
        execute("CREATE DATABASE " + database + " TEMPLATE made", "postgres");
    }

    @Override
    JournalStore open() throws StoreException {
        return open(url());
    }

    private JournalStore open(String url) throws StoreException {
        return Stores.open(DatabaseAddress.of(url, null, Map.of()), new StoreOptions(false, notices::add));
    }

    private String url() {
        return server.getJdbcUrl("postgres", database) + "&currentSchema=" + schema;
    }

    @Override
    void execute(String sql) throws SQLException {
        execute(sql, database);
    }

    private static void execute(String sql, String database) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.getJdbcUrl("postgres", database));
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void disconnect() throws SQLException {
        execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND"
                + " backend_type = 'client backend'");
    }

    /** Appends until {@code done}, retrying transient failures. */
    private CompletableFuture<List<StoredBatch>> appendUntil(AtomicBoolean done, AtomicInteger failures) {
        return CompletableFuture.supplyAsync(() -> {
            List<StoredBatch> acknowledged = new ArrayList<>();
            while (!done.get()) {
                StoredBatch batch = Batches.at(store.lastSequence() + 1);
                while (true) {
                    try {
                        store.append(batch, List.of(Batches.receipt(batch.first())));
                        acknowledged.add(batch);
                        break;
                    } catch (StoreException e) {
                        assertThat(e.kind()).as(e.getMessage()).isEqualTo(Kind.UNAVAILABLE);
                        failures.incrementAndGet();
                    }
                }
            }
            return acknowledged;
        });
    }

    private void checkAll(List<StoredBatch> acknowledged) throws StoreException {
        List<StoredBatch> read = Batches.read(store, 0);
        assertThat(read)
                .extracting(StoredBatch::first)
                .isEqualTo(acknowledged.stream().map(StoredBatch::first).toList());
        assertThat(store.idempotencyRecords(Batches.START, 10_000_000)).hasSameSizeAs(acknowledged);
    }

    @Test
    void connections_lostWhileAppending_loseAndDuplicateNothing() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        AtomicInteger failures = new AtomicInteger();
        CompletableFuture<List<StoredBatch>> appending = appendUntil(done, failures);
        try {
            for (int i = 0; i < 30; i++) {
                long last = store.lastSequence();
                while (store.lastSequence() < last + 20 && !appending.isDone()) {
                    Thread.onSpinWait();
                }
                disconnect();
            }
        } finally {
            done.set(true);
        }
        checkAll(appending.get());
        assertThat(failures).hasPositiveValue();
    }

    @Test
    @Tag("slow")
    void server_restartedWhileAppending_losesAndDuplicatesNothing(@TempDir Path data) throws Exception {
        try (RestartableDatabase own = new RestartableDatabase(data)) {
            store.close();
            store = open(own.jdbcUrl());
            AtomicBoolean done = new AtomicBoolean();
            AtomicInteger failures = new AtomicInteger();
            CompletableFuture<List<StoredBatch>> appending = appendUntil(done, failures);
            try {
                for (String how : List.of("INT", "QUIT", "QUIT")) {
                    long last = store.lastSequence();
                    while (store.lastSequence() < last + 100 && !appending.isDone()) {
                        Thread.onSpinWait();
                    }
                    own.restart(how);
                }
            } finally {
                done.set(true);
            }
            checkAll(appending.get());
            assertThat(failures).hasPositiveValue();
            store.close();
        }
    }

    @Test
    void store_closed_holdsNoLock() throws Exception {
        for (int i = 0; i < 20; i++) {
            store.close();
            try (Connection connection = DriverManager.getConnection(url());
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"
                            + " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())")) {
                assertThat(row.next()).isTrue();
                assertThat(row.getInt(1)).isZero();
            }
            store = open();
        }
    }

    @Test
    void store_lockedByOtherWhileDisconnected_stopsFirst() throws Exception {
        Batches.append(store, 3);
        disconnect();
        try (JournalStore other = open()) {
            assertTakenFor(store);
            Batches.append(other, 1);
        }
        assertTakenFor(store);
    }

    @Test
    void store_writtenByOtherWhileDisconnected_stopsFirst() throws Exception {
        Batches.append(store, 3);
        disconnect();
        try (JournalStore other = open()) {
            Batches.append(other, 1);
        }
        assertTakenFor(store);
    }

    @Test
    void store_takenOver_writesNothing() throws Exception {
        Batches.append(store, 3);
        JournalStore other = takeOver();
        assertThat(notices).anyMatch(notice -> notice.startsWith("taking over postgresql:"));
        Batches.append(other, 1);
        assertWritesNothing();
        other.close();
        assertWritesNothing();
    }

    @Test
    void store_epochOfAnother_writesNothingOnItsOldConnection() throws Exception {
        Batches.append(store, 3);
        execute("UPDATE writer SET epoch = epoch + 1, name = 'the other one'");
        assertWritesNothing();
        assertThatThrownBy(() -> Batches.append(store, 1))
                .hasMessageContaining("was taken over by \"the other one\" at ")
                .hasMessageContaining("must stop");
    }

    @Test
    void store_takenOverWhileItWrites_losesThatTransaction() throws Exception {
        Batches.append(store, 3);
        CompletableFuture<JournalStore> other = new CompletableFuture<>();
        assertThatThrownBy(() -> store.keepCheckpoint(2, Batches.START, stream -> {
                    stream.write(new byte[4 << 20]); // some of it has been sent
                    try {
                        other.complete(takeOver());
                    } catch (StoreException e) {
                        other.completeExceptionally(e);
                    }
                    stream.write(new byte[4 << 20]);
                }))
                .isInstanceOf(StoreException.class);
        assertThat(other.get().latestCheckpoint()).isNull();
        assertWritesNothing();
        other.get().close();
    }

    private JournalStore takeOver() throws StoreException {
        return Stores.open(
                DatabaseAddress.of(url(), null, Map.of()), new StoreOptions(false, notices::add).withTakeOver(true));
    }

    /** Writes to each part of the store. */
    private void assertWritesNothing() throws Exception {
        String before = content();
        List<ThrowingCallable> writes = List.of(
                () -> appendAgain(store),
                () -> store.appendHistory(List.of(Batches.receipt(77))),
                () -> store.keepCheckpoint(2, Batches.START, stream -> stream.write(1)),
                () -> store.discard(Retention.DEFAULT, Batches.START.plus(Duration.ofDays(10_000))),
                () -> store.outbox().remove(List.of()),
                () -> store.accessTokens().remove("none"));
        for (ThrowingCallable write : writes) {
            assertInUse(write);
        }
        assertThat(content()).isEqualTo(before);
    }

    /** Returns the numbers of rows of all tables. */
    private String content() throws SQLException {
        StringBuilder content = new StringBuilder();
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement()) {
            List<String> tables = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery(
                    "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1")) {
                while (rows.next()) {
                    tables.add(rows.getString(1));
                }
            }
            for (String table : tables) {
                try (ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
                    assertThat(row.next()).isTrue();
                    content.append(table).append(' ').append(row.getLong(1)).append('\n');
                }
            }
        }
        return content.toString();
    }

    private static void assertTakenFor(JournalStore store) {
        assertThatThrownBy(() -> appendAgain(store))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.IN_USE));
    }

    /** Appends a batch; retries once if the connection was lost. */
    private static void appendAgain(JournalStore store) throws StoreException {
        try {
            Batches.append(store, 1);
        } catch (StoreException e) {
            assertThat(e.kind()).isIn(Kind.UNAVAILABLE, Kind.IN_USE);
            Batches.append(store, 1);
        }
    }

    @Test
    void database_replacedByOlderCopy_isDamaged() throws Exception {
        Batches.append(store, 3);
        execute("DELETE FROM journal WHERE first > 1");
        disconnect();
        assertDamaged(() -> appendAgain(store), "older");
    }

    @Test
    void schemas_ofOneDatabase_areSeparateStores() throws Exception {
        Batches.append(store, 3);
        execute("CREATE SCHEMA second");
        schema = "second";
        try (JournalStore other = open()) {
            assertThat(other.lastSequence()).isZero();
        }
    }

    @Test
    void schema_withOtherTablesOrMissing_isUnusable() throws Exception {
        execute("CREATE SCHEMA full_one");
        execute("CREATE TABLE full_one.letters (content TEXT)");
        schema = "full_one";
        assertUnusable(this::open, "letters");
        schema = "nothere";
        assertUnusable(this::open, "CREATE SCHEMA");
    }

    @Test
    void database_otherEncoding_isUnusable() throws Exception {
        execute("CREATE DATABASE old ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
        assertUnusable(() -> open(server.getJdbcUrl("postgres", "old")), "UTF8");
    }

    @Test
    void server_unreachable_isUnavailable() {
        assertThatThrownBy(() -> open("postgresql://eve:secret@localhost:1/db"))
                .hasMessageContaining("localhost:1/db")
                .hasMessageNotContaining("secret")
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE));
    }

    @Test
    void database_missing_isUnusable() {
        assertUnusable(() -> open(server.getJdbcUrl("postgres", "nodb")), "nodb");
    }

    @Test
    void writer_synchronousCommitOff_turnsItOn() throws Exception {
        store.close();
        notices.clear();
        execute("ALTER ROLE postgres SET synchronous_commit = off");
        try (PostgresDatabase database =
                        new PostgresDatabase(DatabaseAddress.of(url(), null, Map.of()), StoreOptions.DEFAULT);
                Connection connection = database.connect(false);
                Statement statement = connection.createStatement();
                java.sql.ResultSet row = statement.executeQuery("SHOW synchronous_commit")) {
            assertThat(row.next()).isTrue();
            assertThat(row.getString(1)).isEqualTo("on");
        } finally {
            execute("ALTER ROLE postgres RESET synchronous_commit");
        }
    }

    @Test
    void finished_ofSmallQueue_areFoundInIndex() throws Exception {
        prepare();
        execute("INSERT INTO finished_applications SELECT i, 'default', 'a' || i, 'a' || i, 'root.d' || i % 100, 'ann',"
                + " 'COMPLETED', '', i, i, repeat('document ', 80) FROM generate_series(1, 20000) i");
        execute("VACUUM ANALYZE finished_applications");
        FinishedSelection selection = FinishedSelection.of(
                new FinishedQuery("default", null, "root.none", null, null, Long.MAX_VALUE, 100), Dialect.POSTGRESQL);
        StringBuilder plan = new StringBuilder();
        try (Connection connection = DriverManager.getConnection(url());
                PreparedStatement explain = connection.prepareStatement("EXPLAIN " + selection.sql())) {
            for (int i = 0; i < selection.values().size(); i++) {
                explain.setObject(i + 1, selection.values().get(i));
            }
            try (ResultSet rows = explain.executeQuery()) {
                while (rows.next()) {
                    plan.append(rows.getString(1)).append('\n');
                }
            }
        }
        assertThat(plan.toString().lines().filter(line -> line.contains("Index Cond")))
                .as("%s", plan)
                .singleElement()
                .asString()
                .contains("queue >= 'root.none'");
    }
}
