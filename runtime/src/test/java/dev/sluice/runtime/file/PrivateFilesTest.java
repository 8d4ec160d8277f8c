package dev.sluice.runtime.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
    void restrict_symbolicLink_leavesTargetUnchanged() throws Exception {
        Path target = shared("target");

        PrivateFiles.restrict(Files.createSymbolicLink(folder.resolve("link"), target));

        assertThat(permissions(target)).isEqualTo("rwxr-xr-x");
    }
}
