package dev.sluice.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Journals and the data folders they belong to. */
final class FolderIdentityTest {

    @TempDir
    private Path folder;

    private Path data(String name) throws IOException, StoreException {
        return DataFolder.prepare(folder.resolve(name));
    }

    /** Opens the journal with the identity of a data folder. */
    private void open(Path tasks, boolean adopt) throws Exception {
        StoreOptions options = StoreOptions.DEFAULT.withFolder(new FolderIdentity(tasks, adopt));
        try (JournalStore store = Stores.open(folder.resolve("journal"), options)) {
            Batches.append(store, 1);
        }
    }

    @Test
    void folder_identity_isStable() throws Exception {
        Path data = data("a");

        String identity = new FolderIdentity(data, false).text();

        assertThat(identity).matches("[0-9a-f]{16}");
        assertThat(new FolderIdentity(data, false).text()).isEqualTo(identity);
        assertThat(new FolderIdentity(data("b"), false).text()).isNotEqualTo(identity);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("identity"))))
                .isEqualTo("rw-------");
    }

    @Test
    void journal_withItsFolder_opens() throws Exception {
        open(data("a"), false);
        open(data("a"), false);
    }

    @Test
    void journal_withOtherFolder_isRefused() throws Exception {
        open(data("a"), false);
        String former = new FolderIdentity(data("a"), false).text();

        assertThatThrownBy(() -> open(data("b"), false))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.UNUSABLE))
                .hasMessageContaining("belongs to the data folder with identity " + former)
                .hasMessageContaining("--adopt");
    }

    @Test
    void journal_adopted_belongsToNewFolderOnly() throws Exception {
        open(data("a"), false);

        open(data("b"), true);

        open(data("b"), false);
        assertThatThrownBy(() -> open(data("a"), false)).hasMessageContaining("--adopt");
    }

    @Test
    void journal_withRunningTasks_isNotAdopted() throws Exception {
        open(data("a"), false);
        ProcessBuilder builder = new ProcessBuilder("sleep", "1000");
        builder.environment().put("SLUICE_RUN", new FolderIdentity(data("a"), false).text() + "/1.task");
        Process task = builder.start();
        try {
            assertThatThrownBy(() -> open(data("b"), true))
                    .hasMessageContaining("are still running on this machine, processes [" + task.pid() + "]");
        } finally {
            task.destroyForcibly().waitFor();
        }
        open(data("b"), true);
    }

    @Test
    void journal_ofFormerVersion_belongsToFirstFolder() throws Exception {
        try (JournalStore store = Stores.open(folder.resolve("journal"), StoreOptions.DEFAULT)) {
            Batches.append(store, 1);
        }

        open(data("a"), false);

        assertThatThrownBy(() -> open(data("b"), false)).hasMessageContaining("--adopt");
    }

    @Test
    void identity_damaged_isRefused() throws Exception {
        Files.writeString(data("a").resolve("identity"), "?");

        assertThatThrownBy(() -> open(data("a"), false)).hasMessageContaining("cannot read the data folder's identity");
    }
}
