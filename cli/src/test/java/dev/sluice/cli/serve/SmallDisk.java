package dev.sluice.cli.serve;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A small file system in memory. Mounting one requires root; otherwise the test is skipped.
 *
 * @param path mount point
 */
record SmallDisk(Path path) implements AutoCloseable {

    /** Mounts a file system with options such as {@code size=12m}. */
    static SmallDisk mount(Path folder, String options) throws IOException, InterruptedException {
        Path disk = Files.createDirectory(folder);
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", options, "tmpfs", disk.toString()) == 0,
                "a small file system cannot be mounted here");
        return new SmallDisk(disk);
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    @Override
    public void close() throws IOException {
        try {
            int unused = run("umount", "-l", path.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
