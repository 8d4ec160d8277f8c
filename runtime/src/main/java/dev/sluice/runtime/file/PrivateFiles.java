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
 * Creates files and folders that only their owner can access. The permissions are set at creation, so there is no moment at which others
 * can open them, and the umask of the caller does not matter. Where the system has no POSIX permissions its defaults apply.
 */
public final class PrivateFiles {

    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final boolean POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    private PrivateFiles() {}

    private static FileAttribute<?>[] attributes(Set<PosixFilePermission> permissions) {
        return POSIX
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    /** Creates a folder and its missing parents; leaves those that exist as they are. */
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

    /** Creates a folder; throws {@link FileAlreadyExistsException} where there is something. */
    public static Path createFolder(Path folder) throws IOException {
        Files.createDirectory(folder, attributes(FOLDER));
        return complete(folder, FOLDER);
    }

    /** Creates an empty file; throws {@link FileAlreadyExistsException} where there is something. */
    public static Path createFile(Path file) throws IOException {
        Files.createFile(file, attributes(FILE));
        return complete(file, FILE);
    }

    /** Creates an empty file unless it exists; then others lose their access to it. */
    public static Path ensureFile(Path file) throws IOException {
        try {
            return createFile(file);
        } catch (FileAlreadyExistsException e) {
            restrict(file);
            return file;
        }
    }

    /** An odd umask takes permissions from the owner, too. */
    private static Path complete(Path path, Set<PosixFilePermission> permissions) throws IOException {
        if (POSIX && !permissions(path).containsAll(permissions)) {
            Files.setPosixFilePermissions(path, permissions);
        }
        return path;
    }

    /**
     * Creates a folder in a folder that exists, whatever is in its place: its owner gets back permissions that a task has taken, and what is no
     * folder is moved aside or, without content of its own, removed.
     */
    public static Path ensureFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            setAside(folder);
            return createFolder(folder);
        }
        if (!Files.isReadable(folder) || !Files.isWritable(folder) || !Files.isExecutable(folder)) {
            restore(folder);
        }
        return folder;
    }

    /** Moves a file or a folder to another name beside it; removes anything else, such as a symbolic link. */
    public static void setAside(Path path) throws IOException {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
                || Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            String name = path.getFileName() + ".replaced-" + HexFormat.of().toHexDigits(System.nanoTime());
            Files.move(path, path.resolveSibling(name));
        } else {
            boolean unused = Files.deleteIfExists(path);
        }
    }

    /** Gives a folder the permissions with which this creates one, should somebody have changed them. */
    public static void restore(Path folder) throws IOException {
        if (POSIX && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            Files.setPosixFilePermissions(folder, FOLDER);
        }
    }

    /** Whether others than the owner have any access. */
    public static boolean isShared(Path path) throws IOException {
        return POSIX && permissions(path).stream().anyMatch(permission -> !FOLDER.contains(permission));
    }

    /** The permissions as {@code ls} shows them, such as {@code rwxr-xr-x}. */
    public static String text(Path path) throws IOException {
        return POSIX ? PosixFilePermissions.toString(permissions(path)) : "";
    }

    private static Set<PosixFilePermission> permissions(Path path) throws IOException {
        return Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes()
                .permissions();
    }

    /**
     * Takes their access from others than the owner, and gives the owner all to a folder; leaves symbolic links and what they lead to alone.
     *
     * @throws IOException if this user may not, or the file system keeps no permissions
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
            throw new FileSystemException(path.toString(), null, "its file system does not keep permissions");
        }
    }
}
