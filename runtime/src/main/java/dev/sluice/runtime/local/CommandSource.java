package dev.sluice.runtime.local;

import dev.sluice.runtime.process.LocalCommand;

/** Knows what tasks do. */
@FunctionalInterface
public interface CommandSource {

    /** The command of this task. */
    LocalCommand commandOf(TaskRun run);
}
