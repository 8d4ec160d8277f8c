package dev.sluice.server.node;

import dev.sluice.core.command.Command;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes what becomes of tasks and of this machine. For any thread. */
public interface NodeListener {

    /** What the scheduler is to be told, as one transaction. */
    void report(List<? extends Command> commands);

    /** Why no task can be started on this machine at present; null: tasks can be started again. */
    void startProblemChanged(@Nullable String reason);

    /** A folder that a run left could not be removed and was moved aside. */
    void notRemoved(Path folder, String reason);
}
