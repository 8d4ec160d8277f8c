package dev.sluice.server.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoreException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SqliteStoreTest extends StoreContract {

    @TempDir
    Path folder;

    private final List<String> notices = new ArrayList<>();
    private boolean acceptLoss;

    /** An empty store, created once: Flyway takes most of a second. */
    @TempDir
    static Path empty;

    @BeforeAll
    static void makeEmpty() throws StoreException {
        Stores.open(empty, StoreOptions.DEFAULT).close();
    }

    @Override
    void prepare() throws IOException {
        Files.createDirectory(folder.resolve("data"));
        Files.copy(empty.resolve("sluice.db"), database());
    }

    @Override
    JournalStore open() throws StoreException {
        return open(folder.resolve("data"));
    }

    private JournalStore open(Path data) throws StoreException {
        return Stores.open(data, new StoreOptions(acceptLoss, notices::add));
    }

    @Override
    void execute(String sql) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private Path database() {
        return folder.resolve("data").resolve("sluice.db");
    }

    @Test
    void folder_throughSymbolicLink_isSame() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("data"));
        assertThatThrownBy(() -> open(link))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.IN_USE));
    }

    @Test
    void journal_truncated_opensOnlyWithAcceptLoss() throws Exception {
        long last = Batches.append(store, 10);
        execute("DELETE FROM journal WHERE first > 5");
        store.close();
        assertDamaged(this::open, "up to " + last + " have been acknowledged", "ends at event", "--accept-loss");
        acceptLoss = true;
        store = open();
        assertThat(notices).hasSize(1).first().asString().contains("to " + last).contains("lost");
        assertThat(store.lastSequence()).isLessThan(last);
        Batches.append(store, 1);
        acceptLoss = false;
        store.close();
        store = open();
        assertThat(Batches.read(store, 0)).isNotEmpty();
    }

    @Test
    void database_missingOrEmpty_isDamaged() throws Exception {
        Batches.append(store, 10);
        store.close();
        Files.write(database(), new byte[0]);
        assertDamaged(this::open, "--accept-loss");
        Files.delete(database());
        assertDamaged(this::open, "--accept-loss");
    }

    @Test
    void acknowledgedFile_damaged_isReported() throws Exception {
        Batches.append(store, 10);
        store.close();
        Files.write(folder.resolve("data").resolve("acknowledged"), new byte[12]);
        Files.write(folder.resolve("data").resolve("acknowledged"), new byte[] {1, 2, 3});
        store = open();
        assertThat(notices).hasSize(1).first().asString().contains("is damaged");
    }

    @Test
    void file_notDatabase_isDamaged() throws Exception {
        store.close();
        Files.writeString(database(), "this is a letter\n".repeat(1_000), UTF_8);
        assertDamaged(this::open, database().toString(), "not a database");
    }

    @Test
    void database_truncated_isDamaged() throws Exception {
        Batches.append(store, 500);
        store.close();
        byte[] whole = Files.readAllBytes(database());
        for (int part = 1; part < 8; part++) {
            Files.write(database(), java.util.Arrays.copyOf(whole, whole.length / 8 * part / 4096 * 4096));
            assertThatThrownBy(() -> {
                        try (JournalStore opened = open()) {
                            Batches.read(opened, 0);
                        }
                    })
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.DAMAGED));
        }
    }

    @Test
    void database_ofOtherProgram_isUnchanged() throws Exception {
        store.close();
        Files.delete(database());
        execute("CREATE TABLE letters (text TEXT)");
        assertUnusable(this::open, "another program", "letters");
    }

    @Test
    void folder_isFile_isUnusable() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "", UTF_8);
        assertUnusable(() -> open(file), file.toString());
    }

    @Test
    void folder_readOnly_isUnusable() throws Exception {
        Path closed = Files.createDirectory(folder.resolve("closed"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-xr-xr-x"));
        assumeFalse(Files.isWritable(closed), "permissions do not hold for root");
        assertUnusable(() -> open(closed), closed.toString(), "permission");
    }

    @Test
    void append_onFullDisk_resumesWithFreeSpace() throws Exception {
        store.close();
        AtomicInteger pagesMax = new AtomicInteger(100);
        StoreOptions options = new StoreOptions(false, notices::add);
        store = SqlStore.open(
                SqliteDatabase.open(folder.resolve("data"), options, config -> config.setMaxPageCount(pagesMax.get())),
                options);
        assertThatThrownBy(() -> Batches.append(store, 10_000))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.FULL))
                .hasMessageContaining("Free disk space");
        long last = store.lastSequence();
        assertThat(last).isPositive();
        assertThatThrownBy(() -> Batches.append(store, 1)).isInstanceOf(StoreException.class);
        assertThat(store.lastSequence()).isEqualTo(last);
        Batches.read(store, 0);
        pagesMax.set(1_000_000);
        Batches.append(store, 100);
        assertThat(Batches.read(store, 0)).hasSizeGreaterThan(100);
        assertThat(store.idempotencyRecords(Batches.START, 1_000_000)).hasSameSizeAs(Batches.read(store, 0));
    }

    @Test
    void writeAheadLog_withSlowReaders_isCheckpointed() throws Exception {
        Batches.append(store, 20);
        store.read(0, batch -> {
            for (int i = 0; i < 30; i++) {
                appendLarge();
            }
            return batch.first() < 20;
        });
        assertThat(Files.size(folder.resolve("data").resolve("sluice.db-wal"))).isLessThan(30_000_000);
    }

    private void appendLarge() {
        try {
            store.append(Batches.at(store.lastSequence() + 1, 200_000), List.of());
        } catch (StoreException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void folder_inUseByOtherProcess_namesIt() throws Exception {
        store.close();
        try (ChildProcess child = ChildProcess.start(
                AppendingProgram.class, folder.resolve("data").toString())) {
            child.nextLine();
            assertThatThrownBy(this::open)
                    .hasMessageContaining("process " + child.pid())
                    .hasMessageContaining(FolderLock.host())
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.IN_USE));
        }
        store = open();
        assertThat(Batches.read(store, 0)).isNotEmpty();
    }
}
