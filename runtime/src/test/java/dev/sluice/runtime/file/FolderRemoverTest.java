package dev.sluice.runtime.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Folders in every state in which a task can leave them are removed. */
@Timeout(120)
final class FolderRemoverTest {

    @TempDir
    private Path parent;

    private final BlockingQueue<String> stuck = new LinkedBlockingQueue<>();
    private final FolderRemover remover = new FolderRemover(
            List.of(Duration.ofMillis(1)), (folder, reason) -> stuck.add(folder.getFileName() + ": " + reason));

    @AfterEach
    void close() {
        remover.close();
    }

    /** Runs a script in a new folder and returns the folder. */
    private Path after(String script) throws Exception {
        Path folder = Files.createDirectory(parent.resolve("folder"));
        Process shell = new ProcessBuilder("/bin/sh", "-c", script)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(shell.getInputStream().readAllBytes(), UTF_8);
        assertThat(shell.waitFor()).as(output).isZero();
        return folder;
    }

    private List<String> remaining() throws IOException {
        try (Stream<Path> entries = Files.list(parent)) {
            return entries.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    private void assertRemoved(Path folder) {
        remover.remove(folder);
        assertThat(folder).as("renamed immediately").doesNotExist();
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(remaining()).isEmpty());
        assertThat(stuck).isEmpty();
    }

    @Test
    void folder_deeperThanMaximumPathLength_isRemoved() throws Exception {
        String name = "x".repeat(200);
        assertRemoved(after("i=0; while [ $i -lt 100 ]; do mkdir " + name + " && cd -P " + name + " || exit 1; : >file;"
                + " i=$((i + 1)); done"));
    }

    @Test
    void folder_withManyFilesAndFolders_isRemoved() throws Exception {
        assertRemoved(
                after("for i in 1 2 3 4 5 6 7 8 9; do mkdir -p $i/a/b .moved-$i/c; : >$i/f; : >.moved-$i/c/f; done"));
    }

    /** Only effective for users other than root, who has all permissions. */
    @Test
    void folder_withoutPermissions_isRemoved() throws Exception {
        assertRemoved(
                after("mkdir -p a/b/c d/e; : >a/b/c/f; : >d/e/f; chmod 000 a/b/c a/b d/e; chmod 500 a; chmod 000 d"));
    }

    @Test
    void symbolicLinks_inFolder_areRemovedNotFollowed() throws Exception {
        Path outside = Files.createTempDirectory("outside");
        Path kept = Files.createFile(outside.resolve("kept"));

        assertRemoved(
                after("ln -s " + outside + " link; mkdir a; ln -s " + outside + " a/link; ln -s nowhere a/dangling"));

        assertThat(kept).exists();
        Files.delete(kept);
        Files.delete(outside);
    }

    @Test
    void link_insteadOfFolder_isRemovedNotFollowed() throws Exception {
        Path target = Files.createDirectory(Files.createTempDirectory("outside").resolve("target"));
        Path link = Files.createSymbolicLink(parent.resolve("folder"), target);

        assertRemoved(link);

        assertThat(target).exists();
        Files.delete(target);
        Files.delete(target.getParent());
    }

    @Test
    void immutableFile_inFolder_isReportedAsNotRemoved() throws Exception {
        Path folder = after("mkdir a; : >a/file; : >a/other; : >third");
        assumeTrue(change("+i", folder.resolve("a/file")), "files cannot be made immutable here");
        try {
            remover.remove(folder);

            assertThat(stuck.poll(60, TimeUnit.SECONDS))
                    .startsWith(".gone-folder: ")
                    .contains("not permitted");
            assertThat(remaining()).containsExactly(".gone-folder");
            assertThat(parent.resolve(".gone-folder/third")).doesNotExist();
        } finally {
            change("-i", parent.resolve(".gone-folder/a/file"));
        }
    }

    private static boolean change(String attribute, Path file) throws Exception {
        try {
            return new ProcessBuilder("chattr", attribute, file.toString())
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException noSuchProgram) {
            return false;
        }
    }

    @Test
    void folder_missing_isIgnored() throws Exception {
        remover.remove(parent.resolve("missing"));

        assertThat(remaining()).isEmpty();
    }
}
