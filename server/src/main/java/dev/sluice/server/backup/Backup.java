package dev.sluice.server.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.runtime.file.FolderRemover;
import dev.sluice.runtime.file.PrivateFiles;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.store.DataFolder;
import dev.sluice.server.store.FolderReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Writes and reads backups: a compressed tar archive of a data folder, made by the program {@code tar} of the system. The
 * database in it is a copy of one instant, made and verified while the server runs; the records of runs and the logs of
 * tasks are read after it.
 */
public final class Backup {

    /** Warnings of {@code tar} about files that change or end while it reads them. */
    private static final List<String> HARMLESS =
            List.of("file changed as we read it", "File removed before we read it", "file shrank by");

    private Backup() {}

    /**
     * Writes a backup of a folder, which a server may use meanwhile. Needs as much free space beside the file as the
     * database takes.
     *
     * @param file does not exist; appears when the backup is complete, on disk and verified
     * @param withLogs whether it includes the logs of tasks
     * @return the check of the copy; that of the folder if it has problems, and then there is no backup
     * @throws StoreException if the journal is not in SQLite, damaged or of a later version
     * @throws IOException if a file cannot be read or written
     */
    public static FolderCheck write(Path data, Path file, boolean withLogs) throws IOException, StoreException {
        if (Files.exists(file)) {
            throw new IOException(file + " already exists. Choose another name");
        }
        Path target = file.toAbsolutePath();
        Path parent = Objects.requireNonNull(target.getParent(), "a file has a folder");
        Path copy = Files.createTempDirectory(parent, "." + file.getFileName() + "-");
        try {
            Path archive = PrivateFiles.createFile(copy.resolve("archive"));
            Path folder = PrivateFiles.createFolder(copy.resolve("data"));
            try (FolderReader reader = FolderReader.open(data)) {
                if (!reader.problems().isEmpty()) {
                    return FolderCheck.of(data);
                }
                reader.copyTo(folder);
            }
            FolderCheck check = FolderCheck.of(folder);
            if (check.problems().isEmpty()) {
                pack(data.toRealPath(), folder, archive, withLogs);
                Files.move(archive, target, StandardCopyOption.ATOMIC_MOVE);
            }
            return check;
        } finally {
            FolderRemover.removeNow(copy);
        }
    }

    private static void pack(Path data, Path copy, Path archive, boolean withLogs) throws IOException {
        List<String> command = new ArrayList<>(List.of("tar", "-czf", archive.toString(), "-C", copy.toString(), "."));
        for (String name : withLogs ? List.of("runs", "logs") : List.of("runs")) {
            if (Files.isDirectory(data.resolve(name))) {
                command.addAll(List.of("-C", data.toString(), name));
            }
        }
        run(command);
        try (FileChannel channel = FileChannel.open(archive, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        // reads the archive to its end, so it verifies the checksum
        run(List.of("tar", "-tzf", archive.toString()));
    }

    /**
     * Restores a backup.
     *
     * @param data does not exist or is empty; stays so if the backup is damaged
     * @return the check of the restored folder
     * @throws IOException if the folder is not empty, or a file cannot be read or written
     */
    public static FolderCheck restore(Path file, Path data) throws IOException, StoreException {
        if (!Files.isReadable(file)) {
            throw new IOException(file + (Files.exists(file) ? ": permission denied" : " not found"));
        }
        boolean isNew = !Files.exists(data);
        requireEmpty(PrivateFiles.createFolders(data));
        boolean complete = false;
        try {
            run(List.of("tar", "-xzf", file.toAbsolutePath().toString(), "-C", data.toString()));
            Path folder = DataFolder.prepare(data);
            FolderCheck check = FolderCheck.of(folder);
            complete = check.problems().isEmpty();
            return check;
        } finally {
            if (!complete) {
                clear(data, isNew);
            }
        }
    }

    private static void requireEmpty(Path data) throws IOException {
        try (Stream<Path> entries = Files.list(data)) {
            if (entries.findFirst().isPresent()) {
                throw new IOException(data + " is not empty. Choose another folder, or move this one away");
            }
        }
    }

    private static void clear(Path data, boolean isNew) throws IOException {
        List<Path> entries;
        try (Stream<Path> found = Files.list(data)) {
            entries = found.toList();
        }
        for (Path entry : entries) {
            if (!FolderRemover.removeNow(entry)) {
                throw new IOException("cannot remove " + entry);
            }
        }
        if (isNew) {
            Files.deleteIfExists(data);
        }
    }

    private static void run(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("LC_ALL", "C");
        Process process = builder.start();
        try {
            List<String> errors = new String(process.getErrorStream().readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> HARMLESS.stream().noneMatch(line::contains))
                    .toList();
            int exitCode = process.waitFor();
            if (exitCode > 1 || (exitCode == 1 && !errors.isEmpty())) {
                throw new IOException(errors.isEmpty() ? "tar failed with exit code " + exitCode : errors.get(0));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroy();
        }
    }
}
