package dev.sluice.runtime.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Removes folders in a background thread, because a folder may contain hundreds of thousands of files. A folder is
 * first renamed within its parent to a name that begins with {@value #REMOVED_PREFIX}, so its path is free immediately.
 * If removal fails, for example because a process still writes to the folder, it is retried for a while and then
 * reported; the folder keeps its new name. Thread-safe.
 */
public final class FolderRemover implements AutoCloseable {

    /** The prefix of the names of folders being removed. */
    public static final String REMOVED_PREFIX = ".gone-";

    /** The number of parent folders that may belong to the program, as those of application folders do. */
    private static final int LEVELS = 3;

    private static final List<Duration> RETRIES =
            List.of(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofSeconds(60));

    private final List<Duration> retries;
    private final BiConsumer<Path, String> stuck;
    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, step -> {
        Thread thread = new Thread(step, "folder-remover");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * Creates a remover.
     *
     * @param stuck receives a folder that cannot be removed, and the reason, on the thread of the remover
     */
    public FolderRemover(BiConsumer<Path, String> stuck) {
        this(RETRIES, stuck);
    }

    FolderRemover(List<Duration> retries, BiConsumer<Path, String> stuck) {
        this.retries = List.copyOf(retries);
        this.stuck = stuck;
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Removes a folder, if it exists. Returns immediately; removal happens in the background. */
    public void remove(Path folder) {
        restoreParents(folder);
        if (Files.notExists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try {
            Files.delete(folder); // most folders are empty
            return;
        } catch (IOException notEmpty) {
            // The rest of this method removes the content, too.
        }
        Path name = folder.getFileName();
        Path aside = folder;
        if (name != null && !name.toString().startsWith(REMOVED_PREFIX)) {
            try {
                aside = Files.move(folder, folder.resolveSibling(REMOVED_PREFIX + name));
            } catch (IOException staysInPlace) {
                aside = folder;
            }
        }
        plan(aside, 0, Duration.ZERO);
    }

    /** Removes a folder, if it exists, before it returns; returns whether it is gone. */
    public static boolean removeNow(Path folder) {
        try {
            if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
                TreeRemover.remove(folder);
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Restores permissions of the parent folders that a task has removed; without them the folder may seem missing. */
    private static void restoreParents(Path folder) {
        Path parent = folder.toAbsolutePath().getParent();
        if (parent == null || (Files.isWritable(parent) && Files.isExecutable(parent))) {
            return;
        }
        Deque<Path> parents = new ArrayDeque<>();
        for (Path path = parent; path != null && parents.size() < LEVELS; path = path.getParent()) {
            parents.addFirst(path);
        }
        try {
            for (Path path : parents) {
                if (!Files.isExecutable(path) || (path.equals(parent) && !Files.isWritable(path))) {
                    PrivateFiles.restore(path);
                }
            }
        } catch (IOException attemptFails) {
            // The removal fails for the same reason and reports it.
            return;
        }
    }

    private void plan(Path folder, int attempt, Duration delay) {
        try {
            var unused = executor.schedule(() -> attempt(folder, attempt), delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            // The next program that uses the parent folder removes the renamed folders there.
            return;
        }
    }

    private void attempt(Path folder, int attempt) {
        restoreParents(folder);
        try {
            TreeRemover.remove(folder);
        } catch (IOException e) {
            if (attempt < retries.size()) {
                plan(folder, attempt + 1, retries.get(attempt));
            } else {
                stuck.accept(folder, reason(e));
            }
        }
    }

    private static String reason(IOException e) {
        String kind = e.getClass().getSimpleName().replaceFirst("Exception$", "");
        return e.getClass() == IOException.class || e.getClass() == java.nio.file.FileSystemException.class
                ? String.valueOf(e.getMessage())
                : kind + ": " + e.getMessage();
    }

    /** Stops without removing the remaining folders. */
    @Override
    public void close() {
        executor.shutdownNow();
    }
}
