package dev.sluice.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoreException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file system that is actually full; mounting one requires root. */
@Tag("long")
final class FullDiskTest {

    @TempDir
    Path folder;

    @BeforeEach
    void mount() throws Exception {
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", folder.toString()) == 0,
                "a small file system cannot be mounted here");
    }

    @AfterEach
    void unmount() throws Exception {
        run("umount", "-l", folder.toString());
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    @Test
    void journal_onFullDisk_resumesWithFreeSpace() throws Exception {
        Path other = folder.resolve("other");
        try (JournalStore store = Stores.open(folder.resolve("data"), StoreOptions.DEFAULT)) {
            Batches.append(store, 10);
            Files.write(other, new byte[2 << 20]);
            assertFull(() -> Batches.append(store, 100_000));
            long last = store.lastSequence();
            assertFull(() -> Batches.append(store, 100_000));
            assertThat(store.lastSequence()).isGreaterThanOrEqualTo(last);
            int before = Batches.read(store, 0).size();
            Files.delete(other);
            Batches.append(store, 50);
            assertThat(Batches.read(store, 0)).hasSize(before + 50);
        }
        try (JournalStore store = Stores.open(folder.resolve("data"), StoreOptions.DEFAULT)) {
            assertThat(Batches.read(store, 0)).isNotEmpty();
        }
    }

    @Test
    void store_onFullDisk_isNotOpened() throws Exception {
        fill();
        assertFull(
                () -> Stores.open(folder.resolve("data"), StoreOptions.DEFAULT).close());
    }

    private void fill() {
        assertThatThrownBy(() -> Files.write(folder.resolve("other"), new byte[9 << 20]))
                .isInstanceOf(IOException.class);
    }

    private static void assertFull(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreException.class,
                        e -> assertThat(e.kind()).as(e.getMessage()).isEqualTo(Kind.FULL));
    }
}
