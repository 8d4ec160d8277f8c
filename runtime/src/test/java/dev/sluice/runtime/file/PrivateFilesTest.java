package dev.sluice.runtime.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PrivateFilesTest {

    @TempDir
    private Path folder;

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private Path shared(String name) throws IOException {
        Path path = name.endsWith("/")
                ? Files.createDirectory(folder.resolve(name))
                : Files.createFile(folder.resolve(name));
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void folders_created_arePrivate() throws Exception {
        Path made = PrivateFiles.createFolders(folder.resolve("a/b/c"));

        assertThat(permissions(made)).isEqualTo("rwx------");
        assertThat(permissions(folder.resolve("a"))).isEqualTo("rwx------");
    }

    @Test
    void folders_existing_areUnchanged() throws Exception {
        Path shared = shared("a/");

        PrivateFiles.createFolders(shared.resolve("b"));

        assertThat(permissions(shared)).isEqualTo("rwxr-xr-x");
        assertThat(permissions(shared.resolve("b"))).isEqualTo("rwx------");
    }

    @Test
    void folder_whereFileExists_isRefused() throws Exception {
        Path file = shared("file");

        assertThatThrownBy(() -> PrivateFiles.createFolders(file)).isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void file_ensured_isPrivate() throws Exception {
        assertThat(permissions(PrivateFiles.ensureFile(folder.resolve("new")))).isEqualTo("rw-------");
        assertThat(permissions(PrivateFiles.ensureFile(shared("old")))).isEqualTo("rwx------");
    }

    @Test
    void folder_ensuredByManyThreads_isCreatedOnce() throws Exception {
        int threads = 4;
        int folders = 300;
        CyclicBarrier barrier = new CyclicBarrier(threads);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            CompletionService<Void> done = new ExecutorCompletionService<>(executor);
            for (int t = 0; t < threads; t++) {
                Future<Void> unused = done.submit(() -> {
                    for (int f = 0; f < folders; f++) {
                        barrier.await(60, TimeUnit.SECONDS);
                        PrivateFiles.ensureFolder(folder.resolve("folder-" + f));
                    }
                    return null;
                });
            }
            for (int t = 0; t < threads; t++) {
                done.take().get();
            }
        } finally {
            executor.shutdownNow();
        }
        try (Stream<Path> entries = Files.list(folder)) {
            assertThat(entries).hasSize(folders); // none was renamed
        }
    }

    @Test
    void restrict_symbolicLink_leavesTargetUnchanged() throws Exception {
        Path target = shared("target");

        PrivateFiles.restrict(Files.createSymbolicLink(folder.resolve("link"), target));

        assertThat(permissions(target)).isEqualTo("rwxr-xr-x");
    }
}
