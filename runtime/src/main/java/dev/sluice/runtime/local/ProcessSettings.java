package dev.sluice.runtime.local;

import dev.sluice.runtime.detached.RunnerPaths;
import dev.sluice.runtime.machine.Confinement;
import dev.sluice.runtime.secret.SecretCipher;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link ProcessExecutor}.
 *
 * @param paths the directories of its runner
 * @param logs the log files
 * @param logMax the maximum size of one log in bytes; {@link Long#MAX_VALUE}: logs are never truncated
 * @param runDirectory the folder that all runs share; null: one folder per application, removed when it has ended
 * @param grace the time between SIGTERM and SIGKILL
 * @param confinement what runs may use of this machine, and as whom
 * @param secrets decrypts the secrets of tasks; null if none can be
 */
public record ProcessSettings(
        RunnerPaths paths,
        LogFolder logs,
        long logMax,
        @Nullable Path runDirectory,
        Duration grace,
        Confinement confinement,
        @Nullable SecretCipher secrets) {

    /** Returns the settings of a server: the runs survive it, and the runs of an application share a folder. */
    public static ProcessSettings detached(RunnerPaths paths, LogFolder logs, long logMax, Duration grace) {
        return new ProcessSettings(paths, logs, logMax, null, grace, Confinement.NONE, null);
    }

    /**
     * Returns the settings of a program whose runs end with it and share the folder of the logs, which also contains
     * their scratch folders.
     *
     * @param logMax the maximum size of one log in bytes
     * @param mark the mark of its processes
     */
    public static ProcessSettings attached(LogFolder logs, long logMax, Duration grace, String mark) {
        Path shared = logs.folder().toAbsolutePath();
        return new ProcessSettings(
                RunnerPaths.attached(scratch(logs.folder()), mark),
                logs,
                logMax,
                shared,
                grace,
                Confinement.NONE,
                null);
    }

    /** Returns the directory of the scratch folders of attached runs; no folder of an application has its name. */
    static Path scratch(Path logs) {
        return logs.toAbsolutePath().resolve(".scratch");
    }

    /** Returns a copy with another confinement. */
    public ProcessSettings withConfinement(Confinement newConfinement) {
        return new ProcessSettings(paths, logs, logMax, runDirectory, grace, newConfinement, secrets);
    }

    /** Returns a copy that decrypts secrets. */
    public ProcessSettings withSecrets(@Nullable SecretCipher newSecrets) {
        return new ProcessSettings(paths, logs, logMax, runDirectory, grace, confinement, newSecrets);
    }

    /** Returns a new mark, unique on this machine. */
    public static String newMark() {
        return ProcessHandle.current().pid() + "-"
                + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    }
}
