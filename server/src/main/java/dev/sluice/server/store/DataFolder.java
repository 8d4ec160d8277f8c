package dev.sluice.server.store;

import dev.sluice.runtime.file.PrivateFiles;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoreException.Kind;
import dev.sluice.runtime.secret.SecretKeyFile;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The data folder of a server. The journal, its side files and task logs contain what users pass to their tasks,
 * including passwords, so only the owner can access the folder and its contents.
 */
public final class DataFolder {

    /** The Unix socket on which a server listens, unless it is given another one. */
    public static final String SOCKET = "sluice.sock";

    private static final Set<String> NAMES = Set.of(
            AcknowledgedFile.FILE,
            FolderLock.FILE,
            FolderIdentity.FILE,
            "logs",
            "runs",
            Reserve.FILE,
            SOCKET,
            SecretKeyFile.NAME,
            "lost+found");

    private DataFolder() {}

    /**
     * Creates the folder if it does not exist. A folder that others can access, as former versions created it, is
     * restricted to its owner, unless it contains other files, whose users may rely on its permissions.
     *
     * @return its real path
     * @throws StoreException if others can access it and that cannot be changed
     * @throws IOException if it cannot be created or read
     */
    public static Path prepare(Path path) throws IOException, StoreException {
        Path folder = PrivateFiles.createFolders(path).toRealPath();
        List<Path> own = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                if (isOwn(entry.getFileName().toString())) {
                    own.add(entry);
                } else if (PrivateFiles.isShared(folder)) {
                    throw shared(folder, "holds other files, such as " + entry.getFileName());
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        try {
            PrivateFiles.restrict(folder);
        } catch (IOException e) {
            throw shared(
                    folder,
                    "belongs to "
                            + Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).getName());
        }
        for (Path entry : own) {
            if (!entry.getFileName().toString().equals("lost+found")) {
                PrivateFiles.restrict(entry);
            }
        }
        return folder;
    }

    private static boolean isOwn(String name) {
        return NAMES.contains(name) || name.startsWith(SqliteDatabase.FILE);
    }

    private static StoreException shared(Path folder, String why) throws IOException {
        return new StoreException(
                Kind.UNUSABLE,
                "others can access the data folder " + folder + " (" + PrivateFiles.text(folder) + "), which " + why
                        + ". Choose a dedicated folder with --data, or run: chmod 700 " + folder);
    }
}
