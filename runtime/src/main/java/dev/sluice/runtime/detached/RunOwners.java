package dev.sluice.runtime.detached;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The users of runs that are not those of the user of this program. Known while anything of a run may be alive, even
 * after its folders were removed; otherwise the owner of its scratch folder, which only root can change. Thread-safe.
 */
final class RunOwners {

    /** The result of {@link #of} for a run that this runner does not know. */
    static final long UNKNOWN = -1;

    private final Path scratch;
    private final Map<String, Long> known = new ConcurrentHashMap<>();

    /**
     * Creates owners of runs.
     *
     * @param scratch the directory of scratch folders
     */
    RunOwners(Path scratch) {
        this.scratch = scratch;
    }

    /** Returns the user of the run with this folder, or {@link #UNKNOWN}. */
    long of(String folder) {
        Long user = known.get(folder);
        return user == null ? ownerOfScratch(folder) : user;
    }

    private long ownerOfScratch(String folder) {
        try {
            return (Integer) Files.getAttribute(scratch.resolve(folder), "unix:uid", LinkOption.NOFOLLOW_LINKS);
        } catch (IOException removed) {
            return UNKNOWN;
        }
    }

    /** Called before a run of this user is started. */
    void starting(String folder, long user) {
        known.put(folder, user);
    }

    /** Called when a run of an earlier program is expected. */
    void recovering(String folder) {
        long user = ownerOfScratch(folder);
        if (user != UNKNOWN) {
            known.put(folder, user);
        }
    }

    /** Called when nothing of a run is alive. */
    void gone(String folder) {
        known.remove(folder);
    }
}
