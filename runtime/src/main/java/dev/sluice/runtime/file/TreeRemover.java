package dev.sluice.runtime.file;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Removes a folder and its content at any depth, including folders without permissions for their owner. Symbolic links
 * are removed, never followed. Not thread-safe; one instance per folder.
 *
 * <p>It flattens the tree: before it removes a child of the root, it moves the child's subfolders into the root under
 * new names. So no path is longer than the root's by more than two names, and at most three folders are open. Where the
 * system supports {@link SecureDirectoryStream}, names are resolved relative to open folders, so a concurrently created
 * link cannot redirect the removal.
 */
final class TreeRemover {

    /** The number of entries that cannot be removed after which the removal is abandoned. */
    private static final int FAILURES_MAX = 100;

    private static final String MOVED = ".moved-";

    private final Path root;
    private final Set<Path> failed = new HashSet<>();
    private @Nullable IOException failure;
    private long moved;

    private TreeRemover(Path root) {
        this.root = root;
    }

    /**
     * Removes a folder; does nothing if it does not exist.
     *
     * @throws IOException the reason if something remains; everything else has been removed, unless there were too many
     *     failures
     */
    static void remove(Path root) throws IOException {
        if (Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS)) {
            new TreeRemover(root).removeAll();
        } else {
            Files.deleteIfExists(root);
        }
    }

    private void removeAll() throws IOException {
        if (!Files.isReadable(root) || !Files.isWritable(root) || !Files.isExecutable(root)) {
            allow(root, new AccessDeniedException(root.toString()));
        }
        boolean again = true;
        while (again && failed.size() < FAILURES_MAX) {
            again = pass();
        }
        if (failure != null) {
            throw failure;
        }
        Files.deleteIfExists(root);
    }

    /** Visits the entries of the root once; returns whether any was removed. */
    private boolean pass() throws IOException {
        boolean any = false;
        try (DirectoryStream<Path> entries = open(null, root)) {
            for (Path entry : entries) {
                Path name = entry.getFileName();
                if (failed.contains(name)) {
                    continue;
                }
                try {
                    removeEntry(entries, name);
                    any = true;
                } catch (IOException e) {
                    failed.add(name);
                    failure = failure == null ? e : failure;
                    if (failed.size() >= FAILURES_MAX) {
                        return false;
                    }
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return any;
    }

    private void removeEntry(DirectoryStream<Path> top, Path name) throws IOException {
        if (!isFolder(top, root, name)) {
            deleteFile(top, root, name);
            return;
        }
        Path folder = root.resolve(name);
        try {
            empty(top, folder);
        } catch (AccessDeniedException e) {
            allow(folder, e);
            empty(top, folder);
        }
        deleteFolder(top, name);
    }

    private void empty(DirectoryStream<Path> top, Path folder) throws IOException {
        try (DirectoryStream<Path> entries = open(top, folder)) {
            for (Path entry : entries) {
                Path name = entry.getFileName();
                if (isFolder(entries, folder, name)) {
                    moveUp(top, entries, folder, name);
                } else {
                    deleteFile(entries, folder, name);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private void moveUp(DirectoryStream<Path> top, DirectoryStream<Path> from, Path folder, Path name)
            throws IOException {
        try {
            move(top, from, folder, name);
        } catch (AccessDeniedException e) {
            // A folder to be moved must be writable, because its entry ".." changes.
            allow(folder.resolve(name), e);
            move(top, from, folder, name);
        }
    }

    private void move(DirectoryStream<Path> top, DirectoryStream<Path> from, Path folder, Path name)
            throws IOException {
        Path target = root.getFileSystem().getPath(MOVED + moved++);
        while (Files.exists(root.resolve(target), LinkOption.NOFOLLOW_LINKS)) {
            target = root.getFileSystem().getPath(MOVED + moved++);
        }
        if (top instanceof SecureDirectoryStream<Path> to && from instanceof SecureDirectoryStream<Path> secure) {
            secure.move(name, to, target);
        } else {
            Files.move(folder.resolve(name), root.resolve(target));
        }
    }

    /**
     * Restores the owner's permissions, unless this program is root: root is denied access only by file systems that
     * permissions do not concern, such as FUSE, and their owner may replace the folder by a link at any time.
     */
    private static void allow(Path folder, AccessDeniedException denied) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS) || UserFolders.isRoot()) {
            throw denied;
        }
        PrivateFiles.restore(folder);
    }

    @SuppressWarnings("StreamResourceLeak") // the caller closes it
    private static DirectoryStream<Path> open(@Nullable DirectoryStream<Path> above, Path folder) throws IOException {
        if (above instanceof SecureDirectoryStream<Path> secure) {
            return secure.newDirectoryStream(folder.getFileName(), LinkOption.NOFOLLOW_LINKS);
        }
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new NotDirectoryException(folder.toString());
        }
        return Files.newDirectoryStream(folder);
    }

    private static boolean isFolder(DirectoryStream<Path> in, Path folder, Path name) throws IOException {
        if (in instanceof SecureDirectoryStream<Path> secure) {
            return secure.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .readAttributes()
                    .isDirectory();
        }
        return Files.isDirectory(folder.resolve(name), LinkOption.NOFOLLOW_LINKS);
    }

    private static void deleteFile(DirectoryStream<Path> in, Path folder, Path name) throws IOException {
        try {
            if (in instanceof SecureDirectoryStream<Path> secure) {
                secure.deleteFile(name);
            } else {
                Files.delete(folder.resolve(name));
            }
        } catch (NoSuchFileException gone) {
            return;
        }
    }

    private void deleteFolder(DirectoryStream<Path> top, Path name) throws IOException {
        if (top instanceof SecureDirectoryStream<Path> secure) {
            secure.deleteDirectory(name);
        } else {
            Files.delete(root.resolve(name));
        }
    }
}
