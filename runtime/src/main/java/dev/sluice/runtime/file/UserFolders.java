package dev.sluice.runtime.file;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Folders of a program that runs as root in which other users have folders. Others can pass through them if they know a
 * name, but neither list nor change them, so nobody can replace what is in them by a link.
 */
public final class UserFolders {

    private static final Set<PosixFilePermission> PASSABLE = PosixFilePermissions.fromString("rwx--x--x");

    private static final int STICKY = 01000;
    private static final int WRITABLE_BY_OTHERS = 022;
    private static final int PASSABLE_BY_OTHERS = 01;

    private UserFolders() {}

    /** Returns whether this program runs as root. */
    public static boolean isRoot() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        } catch (IOException | UnsupportedOperationException withoutProc) {
            return "root".equals(System.getProperty("user.name"));
        }
    }

    /** Lets others pass through a folder of this program. */
    public static void open(Path folder) throws IOException {
        if (!PASSABLE.equals(Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS))) {
            Files.setPosixFilePermissions(folder, PASSABLE);
        }
    }

    /** Returns whether a file or folder belongs to this user. */
    public static boolean isOwner(Path path, long uid) throws IOException {
        return Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals((int) uid);
    }

    /**
     * Returns whether a file or folder can be given to a user: it is already the user's, or a new one of root. One of
     * somebody else never is, even if it is empty, since its owner may have it open, or links in it.
     */
    public static boolean mayGive(Path path, long uid) throws IOException {
        // In this order: another thread may give it to the same user, who then uses it.
        boolean isEmpty = isEmpty(path);
        return isOwner(path, uid) || (isOwner(path, 0) && isEmpty);
    }

    private static boolean isEmpty(Path path) throws IOException {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            return Files.size(path) == 0;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
            return !entries.iterator().hasNext();
        }
    }

    /** Gives a file or folder to a user. Does not follow a symbolic link. */
    public static void give(Path path, long uid, long gid) throws IOException {
        if (!isOwner(path, uid)) {
            Files.setAttribute(path, "unix:uid", (int) uid, LinkOption.NOFOLLOW_LINKS);
        }
        if (!Files.getAttribute(path, "unix:gid", LinkOption.NOFOLLOW_LINKS).equals((int) gid)) {
            Files.setAttribute(path, "unix:gid", (int) gid, LinkOption.NOFOLLOW_LINKS);
        }
    }

    /**
     * Checks that all users can pass through a folder and those above it, and that nobody but root can replace one of
     * them, or the target of a link among them.
     *
     * @throws IllegalStateException if not; the message says what helps
     */
    public static void requireSafe(Path folder) throws IOException {
        Path real = folder.toRealPath();
        if (!real.equals(folder.toAbsolutePath())) {
            throw new IllegalStateException("the folder for the scratch folders of tasks, " + folder
                    + ", is behind a symbolic link; choose " + real + " with --work");
        }
        for (Path path = real; path != null; path = path.getParent()) {
            int mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            boolean changeable = (mode & WRITABLE_BY_OTHERS) != 0 && (mode & STICKY) == 0;
            if (changeable || !isOwner(path, 0)) {
                throw new IllegalStateException("other users than root can replace " + path
                        + ", which contains the scratch folders of tasks; choose another folder with --work, or change"
                        + " its owner and mode");
            }
            if ((mode & PASSABLE_BY_OTHERS) == 0) {
                throw new IllegalStateException("tasks run as their submitters, who cannot pass through " + path
                        + " to their scratch folders; choose another folder with --work, run chmod o+x on it, or run the"
                        + " tasks of all users as root with --shared-account --allow-root");
            }
        }
    }
}
