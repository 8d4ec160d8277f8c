package dev.sluice.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.ReplayListener;
import dev.sluice.runtime.journal.StoredBatch;
import dev.sluice.server.Daemon;
import dev.sluice.server.DaemonSettings;
import dev.sluice.server.backup.Backup;
import dev.sluice.server.backup.FolderCheck;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** The upgrade of data folders of earlier versions. */
final class EarlierFolderTest {

    @TempDir
    private Path parent;

    /** Returns the batches of the first golden journal of format 1, which has every kind of its events. */
    private static List<StoredBatch> goldenBatches() throws IOException {
        try (DataInputStream in =
                new DataInputStream(Objects.requireNonNull(JournalStore.class.getResourceAsStream("journals-1.bin")))) {
            assertThat(in.readInt()).isPositive();
            List<StoredBatch> batches = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                long first = in.readLong();
                int events = in.readInt();
                Instant at = Instant.ofEpochSecond(in.readLong(), in.readInt());
                batches.add(new StoredBatch(first, events, at, in.readNBytes(in.readInt())));
            }
            return batches;
        }
    }

    /** Creates a folder as the first version did: its tables, a journal of format 1, and nothing else. */
    private static long create(Path folder) throws Exception {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + folder.resolve(SqliteDatabase.FILE));
        Flyway.configure()
                .dataSource(source)
                .locations(Dialect.SQLITE.migrations().toArray(String[]::new))
                .placeholders(Dialect.SQLITE.placeholders())
                .target("1")
                .load()
                .migrate();
        List<StoredBatch> batches = goldenBatches();
        try (Connection connection = source.getConnection();
                Session session = new Session(connection)) {
            for (StoredBatch batch : batches) {
                assertThat(JournalTable.insert(session, batch)).isTrue();
            }
            session.update("INSERT INTO meta (name, value) VALUES ('format', 1), ('made', 0), ('discarded', 0)");
        }
        return batches.get(batches.size() - 1).last();
    }

    @Test
    void folderOfFirstVersion_backedUpAndStarted_keepsItsJournal() throws Exception {
        Path folder = DataFolder.prepare(parent.resolve("data"));
        long last = create(folder);

        assertThat(FolderCheck.of(folder).warnings()).singleElement().asString().contains("of an earlier version");
        assertThat(Backup.write(folder, parent.resolve("before.tar.gz"), true).problems())
                .isEmpty();
        try (Daemon daemon = Daemon.start(DaemonSettings.in(folder), InstantSource.system(), ReplayListener.NONE)) {
            assertThat(daemon.port()).isPositive();
        }
        FolderCheck check = FolderCheck.of(folder);

        assertThat(check.problems()).isEmpty();
        assertThat(check.warnings()).isEmpty();
        assertThat(Objects.requireNonNull(check.journal()).last()).isGreaterThanOrEqualTo(last);
        assertThat(check.journal().first()).isEqualTo(1);
    }

    @Test
    void folderOfFirstVersion_withLostEvents_isNotBackedUp() throws Exception {
        Path folder = DataFolder.prepare(parent.resolve("data"));
        long last = create(folder);
        try (AcknowledgedFile file = new AcknowledgedFile(folder)) {
            file.write(last + 1);
        }

        assertThat(Backup.write(folder, parent.resolve("before.tar.gz"), true).problems())
                .singleElement()
                .asString()
                .contains("have been acknowledged");
        assertThat(parent.resolve("before.tar.gz")).doesNotExist();
    }
}
