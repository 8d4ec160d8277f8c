package dev.sluice.runtime.file;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Set;

/**
 * Creates files and folders that only their owner can access. The permissions are set at creation, so others can open
 * them at no time, and the umask of the caller does not matter. On systems without POSIX permissions the system
 * defaults apply.
 */
public final class PrivateFiles {

    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final boolean POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    /** Held while a path is replaced: a thread that checked the path earlier must not replace the new folder again. */
    private static final Object REPLACEMENT = new Object();

    private PrivateFiles() {}

    private static FileAttribute<?>[] attributes(Set<PosixFilePermission> permissions) {
        return POSIX
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    /** Creates a folder and its missing parents; leaves existing ones unchanged. */
    public static Path createFolders(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return folder;
        }
        Path parent = folder.toAbsolutePath().getParent();
        if (parent != null) {
            createFolders(parent);
        }
        try {
            return createFolder(folder);
        } catch (FileAlreadyExistsException e) {
            if (Files.isDirectory(folder)) {
                return folder;
            }
            throw e;
        }
    }

    /** Creates a folder; throws {@link FileAlreadyExistsException} if the path exists. */
    public static Path createFolder(Path folder) throws IOException {
        Files.createDirectory(folder, attributes(FOLDER));
        return complete(folder, FOLDER);
    }

    /** Creates an empty file; throws {@link FileAlreadyExistsException} if the path exists. */
    public static Path createFile(Path file) throws IOException {
        Files.createFile(file, attributes(FILE));
        return complete(file, FILE);
    }

    /** Creates an empty file, or removes the access of others if it exists. */
    public static Path ensureFile(Path file) throws IOException {
        try {
            return createFile(file);
        } catch (FileAlreadyExistsException e) {
            restrict(file);
            return file;
        }
    }

    /** Adds permissions of the owner that an unusual umask may have removed. */
    private static Path complete(Path path, Set<PosixFilePermission> permissions) throws IOException {
        if (POSIX && !permissions(path).containsAll(permissions)) {
            Files.setPosixFilePermissions(path, permissions);
        }
        return path;
    }

    /**
     * Ensures that a folder exists in an existing parent: restores permissions that a task has removed from the owner,
     * and renames or (if it has no content, such as a link) removes anything at the path that is not a folder. Threads
     * that ask for the same folder at the same time all get it.
     */
    public static Path ensureFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            synchronized (REPLACEMENT) {
                if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                    setAside(folder);
                    return createFolder(folder);
                }
            }
        }
        if (!Files.isReadable(folder) || !Files.isWritable(folder) || !Files.isExecutable(folder)) {
            restore(folder);
        }
        return folder;
    }

    /** Renames a file or folder within its parent; removes anything else, such as a symbolic link. */
    public static void setAside(Path path) throws IOException {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
                || Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            String name = path.getFileName() + ".replaced-" + HexFormat.of().toHexDigits(System.nanoTime());
            Files.move(path, path.resolveSibling(name));
        } else {
            boolean unused = Files.deleteIfExists(path);
        }
    }

    /** Resets a folder to the permissions with which this class creates folders. */
    public static void restore(Path folder) throws IOException {
        if (POSIX && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            Files.setPosixFilePermissions(folder, FOLDER);
        }
    }

    /** Returns whether anyone but the owner has access. */
    public static boolean isShared(Path path) throws IOException {
        return POSIX && permissions(path).stream().anyMatch(permission -> !FOLDER.contains(permission));
    }

    /** Returns the permissions in the format of {@code ls}, such as {@code rwxr-xr-x}. */
    public static String text(Path path) throws IOException {
        return POSIX ? PosixFilePermissions.toString(permissions(path)) : "";
    }

    private static Set<PosixFilePermission> permissions(Path path) throws IOException {
        return Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes()
                .permissions();
    }

    /**
     * Removes the access of everyone but the owner, and gives the owner full access to a folder. Ignores symbolic links
     * and their targets.
     *
     * @throws IOException if permission is denied, or the file system does not store permissions
     */
    public static void restrict(Path path) throws IOException {
        if (!POSIX || Files.isSymbolicLink(path)) {
            return;
        }
        Set<PosixFilePermission> rest = EnumSet.copyOf(FOLDER);
        if (!Files.isDirectory(path)) {
            rest.retainAll(permissions(path));
        }
        if (rest.equals(permissions(path))) {
            return;
        }
        Files.setPosixFilePermissions(path, rest);
        if (isShared(path)) {
            throw new FileSystemException(path.toString(), null, "the file system does not store permissions");
        }
    }
}
