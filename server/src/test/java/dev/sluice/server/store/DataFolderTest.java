package dev.sluice.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Permissions of the data folder. */
final class DataFolderTest {

    @TempDir
    private Path parent;

    private Path data = Path.of("");

    @BeforeEach
    void name() {
        data = parent.resolve("data");
    }

    private static Path share(Path path) throws IOException {
        return Files.setPosixFilePermissions(
                path, PosixFilePermissions.fromString(Files.isDirectory(path) ? "rwxr-xr-x" : "rw-r--r--"));
    }

    /** Returns the permissions of the folder and everything in it, by name. */
    private Map<String, String> permissions() throws IOException {
        Map<String, String> permissions = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(data)) {
            for (Path path : paths.toList()) {
                permissions.put(
                        data.relativize(path).toString(),
                        PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
            }
        }
        return permissions;
    }

    @Test
    void store_created_isPrivate() throws Exception {
        try (JournalStore store = Stores.open(data, StoreOptions.DEFAULT)) {
            Batches.append(store, 10);

            assertThat(permissions())
                    .containsEntry("", "rwx------")
                    .containsEntry("sluice.db", "rw-------")
                    .containsEntry("sluice.db-wal", "rw-------")
                    .containsEntry("sluice.db-shm", "rw-------")
                    .containsEntry("acknowledged", "rw-------")
                    .containsEntry("sluice.lock", "rw-------")
                    .hasSize(6);
        }
    }

    @Test
    void store_ofFormerVersion_becomesPrivate() throws Exception {
        try (JournalStore store = Stores.open(data, StoreOptions.DEFAULT)) {
            Batches.append(store, 10);
        }
        Files.createDirectories(data.resolve("logs"));
        Files.createDirectories(data.resolve("runs"));
        for (String name : permissions().keySet()) {
            share(data.resolve(name));
        }

        try (JournalStore store = Stores.open(data, StoreOptions.DEFAULT)) {
            assertThat(store.lastSequence()).isPositive();
            assertThat(permissions().values()).containsOnly("rwx------", "rw-------");
        }
    }

    @Test
    void folder_empty_becomesPrivate() throws Exception {
        share(Files.createDirectory(data));

        DataFolder.prepare(data);

        assertThat(permissions()).containsExactly(Map.entry("", "rwx------"));
    }

    @Test
    void sharedFolder_withOtherFiles_isRefusedUnchanged() throws Exception {
        share(Files.createDirectory(data));
        Files.createFile(data.resolve("thesis.tex"));

        assertThatThrownBy(() -> Stores.open(data, StoreOptions.DEFAULT))
                .isInstanceOf(StoreException.class)
                .hasMessage("others can access the data folder " + data.toRealPath()
                        + " (rwxr-xr-x), which holds other files, such as thesis.tex. Choose a dedicated folder with"
                        + " --data, or run: chmod 700 " + data.toRealPath());
        assertThat(permissions()).containsEntry("", "rwxr-xr-x");
    }

    @Test
    void privateFolder_withOtherFiles_isUsed() throws Exception {
        Files.setPosixFilePermissions(Files.createDirectory(data), PosixFilePermissions.fromString("rwx------"));
        Files.createFile(data.resolve("queues.yaml"));

        assertThat(DataFolder.prepare(data)).isEqualTo(data.toRealPath());
    }
}
