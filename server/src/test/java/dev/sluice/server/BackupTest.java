package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.runtime.journal.JournalCheck;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.server.backup.Backup;
import dev.sluice.server.backup.FolderCheck;
import dev.sluice.server.store.StoreOptions;
import dev.sluice.server.store.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Backup, restore and verification of data folders. */
@Timeout(120)
final class BackupTest {

    private static final String APPLICATIONS = "/partitions/default/applications";

    private static Path stopped = Path.of("");

    @TempDir
    private Path parent;

    private Path data = Path.of("");
    private Path file = Path.of("");

    @BeforeEach
    void name() {
        data = parent.resolve("data");
        file = parent.resolve("backup.tar.gz");
    }

    @FunctionalInterface
    interface Damage {
        void to(Path folder) throws Exception;
    }

    private static void submit(TestDaemon daemon, String id) {
        String body = "{\"id\": \"" + id
                + "\", \"sealed\": true, \"queue\": \"root.default\", \"tasks\": [{\"id\": \"t\", \"command\": \"echo from "
                + id + "\"}]}";
        assertThat(daemon.client().post(APPLICATIONS, body).status()).isEqualTo(201);
        daemon.client().awaitState(id, "Completed");
    }

    /** Runs applications before, between and after two checkpoints. */
    private static void work(TestDaemon daemon) throws Exception {
        submit(daemon, "first");
        daemon.requestCheckpoint().get();
        submit(daemon, "second");
        daemon.requestCheckpoint().get();
        submit(daemon, "third");
    }

    /** Creates the folder that each test gets a copy of. */
    @BeforeAll
    static void createStopped(@TempDir Path folder) throws Exception {
        stopped = folder.resolve("data");
        try (TestDaemon daemon = TestDaemon.start(TestDaemon.settings(stopped))) {
            work(daemon);
        }
    }

    private void workAndStop() throws IOException {
        try (Stream<Path> paths = Files.walk(stopped)) {
            for (Path path : paths.toList()) {
                Files.copy(path, data.resolve(stopped.relativize(path)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    private static void execute(Path folder, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("sluice.db"));
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Returns the content of all files, by name. */
    private static Map<String, Integer> contents(Path folder) throws IOException {
        Map<String, Integer> contents = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.toList()) {
                boolean isFile = Files.isRegularFile(path);
                contents.put(path.toString(), isFile ? Arrays.hashCode(Files.readAllBytes(path)) : 0);
            }
        }
        return contents;
    }

    @Test
    void backup_ofRunningServer_restoresApplicationsAndLogs() throws Exception {
        FolderCheck written;
        try (TestDaemon daemon = TestDaemon.start(TestDaemon.settings(data))) {
            work(daemon);
            written = Backup.write(data, file, true);
            assertThat(FolderCheck.of(data).isInUse()).isTrue();
            assertThatThrownBy(() -> Stores.open(data, StoreOptions.DEFAULT)).hasMessageContaining("is using");
            submit(daemon, "after");
        }
        assertThat(written.problems()).isEmpty();
        assertThat(written.warnings()).isEmpty();

        Path restored = parent.resolve("restored");
        FolderCheck check = Backup.restore(file, restored);

        assertThat(check.problems()).isEmpty();
        assertThat(check.journal()).isEqualTo(written.journal());
        assertThat(Objects.requireNonNull(check.journal()).checkpoints()).isEqualTo(2);
        assertThat(check.logFiles()).isEqualTo(3);
        try (TestDaemon daemon = TestDaemon.start(TestDaemon.settings(restored))) {
            assertThat(daemon.client().get(APPLICATIONS + "/third").at("/state"))
                    .isEqualTo("Completed");
            assertThat(daemon.client().get(APPLICATIONS + "/after").status()).isEqualTo(404);
            assertThat(daemon.client().get(APPLICATIONS + "/first/tasks/t/log").text())
                    .contains("from first");
        }
        try (Stream<Path> left = Files.list(parent)) {
            assertThat(left).containsExactlyInAnyOrder(data, file, restored);
        }
    }

    @Test
    void backup_withoutLogs_hasRunsAlone() throws Exception {
        workAndStop();

        Backup.write(data, file, false);

        assertThat(Backup.restore(file, parent.resolve("restored")).logFiles()).isZero();
    }

    @Test
    void backup_existing_isNotOverwritten() throws Exception {
        workAndStop();
        Files.writeString(file, "mine");

        assertThatThrownBy(() -> Backup.write(data, file, true))
                .hasMessage(file + " already exists. Choose another name");
        assertThat(file).hasContent("mine");
    }

    @Test
    void backup_ofDamagedJournal_isNotWritten() throws Exception {
        workAndStop();
        execute(data, "DELETE FROM journal WHERE first = (SELECT MIN(first) FROM journal WHERE first > 3)");

        assertThat(Backup.write(data, file, true).problems()).isNotEmpty();
        assertThat(file).doesNotExist();
    }

    /** The copy alone looks complete: only the folder knows what has been acknowledged. */
    @Test
    void backup_ofLostEvents_isNotWritten() throws Exception {
        workAndStop();
        execute(data, "DELETE FROM journal WHERE first = (SELECT MAX(first) FROM journal)");

        assertThat(Backup.write(data, file, true).problems())
                .singleElement()
                .asString()
                .contains("have been acknowledged");
        assertThat(file).doesNotExist();
    }

    @Test
    void backup_ofDamagedLog_isNotWritten() throws Exception {
        Path crashed = Files.createDirectory(parent.resolve("crashed"));
        try (TestDaemon daemon = TestDaemon.start(TestDaemon.settings(data))) {
            work(daemon);
            copyOfRunning(crashed);
        }
        byte[] log = Files.readAllBytes(crashed.resolve("sluice.db-wal"));
        log[log.length / 2] ^= 1;
        Files.write(crashed.resolve("sluice.db-wal"), log);
        Files.delete(crashed.resolve("acknowledged"));

        assertThat(Backup.write(crashed, file, true).problems())
                .anyMatch(problem -> problem.contains("write-ahead log"));
        assertThat(file).doesNotExist();
    }

    @Test
    void restore_toUsedFolder_isRefused() throws Exception {
        workAndStop();
        Backup.write(data, file, true);
        Map<String, Integer> before = contents(data);

        assertThatThrownBy(() -> Backup.restore(file, data)).hasMessageContaining("is not empty");
        assertThat(contents(data)).isEqualTo(before);
    }

    @Test
    void restore_ofTruncatedFile_leavesNothing() throws Exception {
        workAndStop();
        Backup.write(data, file, true);
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 20));
        Path restored = parent.resolve("restored");

        assertThatThrownBy(() -> Backup.restore(file, restored)).isInstanceOf(IOException.class);
        assertThat(restored).doesNotExist();
    }

    static Stream<Arguments> damages() {
        return Stream.of(
                damage(
                        "is damaged. Restore a backup",
                        folder -> execute(folder, "UPDATE journal SET body = x'00' WHERE first > 3")),
                damage(
                        "are missing",
                        folder -> execute(
                                folder,
                                "DELETE FROM journal WHERE first = (SELECT MIN(first) FROM journal WHERE first > 3)")),
                damage(
                        "have been acknowledged",
                        folder ->
                                execute(folder, "DELETE FROM journal WHERE first = (SELECT MAX(first) FROM journal)")),
                damage(
                        "belongs to the data folder with identity",
                        folder -> Files.writeString(folder.resolve("identity"), "0000000000000001\n")),
                damage("malformed", BackupTest::overwritePages));
    }

    private static Arguments damage(String message, Damage damage) {
        return arguments(message, damage);
    }

    private static void overwritePages(Path folder) throws IOException {
        byte[] bytes = Files.readAllBytes(folder.resolve("sluice.db"));
        Arrays.fill(bytes, bytes.length / 2, bytes.length / 2 + 8192, (byte) 7);
        Files.write(folder.resolve("sluice.db"), bytes);
    }

    @ParameterizedTest
    @MethodSource("damages")
    void check_ofDamagedFolder_namesProblemAndChangesNothing(String message, Damage damage) throws Exception {
        workAndStop();
        damage.to(data);
        Map<String, Integer> before = contents(data);

        FolderCheck check = FolderCheck.of(data);

        assertThat(check.problems()).anyMatch(problem -> problem.contains(message));
        assertThat(contents(data)).isEqualTo(before);
    }

    @Test
    void check_ofUnreadableCheckpoint_warns() throws Exception {
        workAndStop();
        execute(data, "UPDATE checkpoint_chunks SET content = x'00' WHERE checkpoint = 1");

        FolderCheck check = FolderCheck.of(data);

        assertThat(check.problems()).isEmpty();
        assertThat(check.warnings()).singleElement().asString().contains("starts from an earlier checkpoint");
    }

    /** The first checkpoint, stored once more as that of the last event. */
    @Test
    void check_ofDifferingCheckpoint_warns() throws Exception {
        workAndStop();
        try (JournalStore store = Stores.open(data, StoreOptions.DEFAULT)) {
            byte[] content;
            try (JournalStore.Checkpoint checkpoint = Objects.requireNonNull(store.latestCheckpoint())) {
                content = checkpoint.content().readAllBytes();
            }
            store.keepCheckpoint(store.lastSequence(), Instant.EPOCH, out -> out.write(content));
        }

        assertThat(FolderCheck.of(data).warnings()).singleElement().asString().contains("differs from the state");
    }

    /** Copies the files of a running server: as after a crash, with a write-ahead log. */
    private void copyOfRunning(Path folder) throws IOException {
        for (String name : new String[] {"sluice.db", "sluice.db-wal", "sluice.lock", "identity", "acknowledged"}) {
            Files.copy(data.resolve(name), folder.resolve(name));
        }
    }

    @Test
    @Tag("slow")
    void check_afterCrash_readsLogAndLeavesNoFiles() throws Exception {
        Path crashed = Files.createDirectory(parent.resolve("crashed"));
        JournalCheck expected;
        try (TestDaemon daemon = TestDaemon.start(TestDaemon.settings(data))) {
            work(daemon);
            expected = FolderCheck.of(data).journal();
            copyOfRunning(crashed);
        }
        assertThat(crashed.resolve("sluice.db-wal")).isNotEmptyFile();
        Map<String, Integer> before = contents(crashed);

        FolderCheck check = FolderCheck.of(crashed);

        assertThat(check.problems()).isEmpty();
        assertThat(check.journal()).isEqualTo(expected);
        assertThat(check.isInUse()).isFalse();
        assertThat(contents(crashed)).isEqualTo(before);
    }

    @Test
    void check_ofOtherFolder_isRefused() {
        assertThatThrownBy(() -> FolderCheck.of(parent)).hasMessageContaining("is not a data folder");
    }
}
