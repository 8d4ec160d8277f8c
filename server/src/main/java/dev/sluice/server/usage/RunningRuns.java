package dev.sluice.server.usage;

import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Task;
import dev.sluice.runtime.journal.RunAccount;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The runs of a partition that occupy resources at one instant.
 *
 * @param at the instant
 * @param last the last event before it: runs that released their resources up to this event are in the history
 */
public record RunningRuns(Instant at, long last, List<RunningRun> runs) {

    /** A run that has not released its resources. */
    public record RunningRun(
            RunAccount account,
            String node,
            Instant placed,
            @Nullable Duration waited) {}

    /** Copies the runs of a partition. Takes about 10 ms for 100,000 runs. */
    public static RunningRuns of(Partition partition, Instant at, long last) {
        Map<RunAccount, RunAccount> accounts = new HashMap<>();
        List<RunningRun> runs = new ArrayList<>();
        for (Node node : partition.nodes()) {
            for (Task task : node.tasks()) {
                if (!task.isPreempting()) {
                    RunAccount account = RunUsages.account(
                            task.application().origin(),
                            task.group(),
                            task.kind().resources());
                    RunAccount known = accounts.putIfAbsent(account, account);
                    runs.add(new RunningRun(
                            known == null ? account : known,
                            node.name(),
                            task.placedAt(),
                            RunUsages.waited(task.group(), task.attempt(), task.placedAt())));
                }
            }
        }
        return new RunningRuns(at, last, runs);
    }
}
