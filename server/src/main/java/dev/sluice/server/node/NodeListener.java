package dev.sluice.server.node;

import dev.sluice.core.command.Command;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Receives reports and problems of the local node. Implementations are thread-safe. */
public interface NodeListener {

    /** Called with commands for the scheduler, to be executed as one transaction. */
    void report(List<? extends Command> commands);

    /**
     * Called when tasks can no longer be started on this machine, or can be again.
     *
     * @param reason why tasks cannot be started; null if they can be started again
     */
    void startProblemChanged(@Nullable String reason);

    /** Called when a folder left by a run could not be removed and was moved aside. */
    void notRemoved(Path folder, String reason);
}
