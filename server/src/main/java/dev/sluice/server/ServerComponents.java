package dev.sluice.server;

import dev.sluice.runtime.host.EngineHost;
import dev.sluice.runtime.host.IncrementalQueryRunner;
import dev.sluice.runtime.host.NodeExecutor;
import dev.sluice.runtime.host.NodeProvider;
import dev.sluice.runtime.host.RemoteLogs;
import dev.sluice.runtime.host.TaskAdmission;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.server.access.AccessTokens;
import dev.sluice.server.api.NodeView;
import dev.sluice.server.configuration.Configurations;
import dev.sluice.server.live.LiveFeed;
import dev.sluice.server.live.LiveSnapshots;
import dev.sluice.server.metrics.ServerMetrics;
import dev.sluice.server.routes.IdempotencyCache;
import dev.sluice.server.routes.TaskLogs;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** The components of a server that the routes need. */
record ServerComponents(
        DaemonSettings settings,
        InstantSource clock,
        JsonMapper json,
        JournalStore store,
        EngineHost host,
        IncrementalQueryRunner queries,
        LiveFeed feed,
        LiveSnapshots snapshots,
        HistoryWriter history,
        Configurations configurations,
        IdempotencyCache idempotencyCache,
        AccessTokens accessTokens,
        TaskLogs logs,
        @Nullable NodeExecutor processes,
        @Nullable NodeProvider provider,
        TaskAdmission admission,
        RemoteLogs remoteLogs,
        ServerMetrics metrics,
        HealthMonitor health) {

    /** Returns what runs the tasks of a node, for {@link NodeView}. */
    String runBy(String partition, String node) {
        if (processes != null && processes.runs(node)) {
            return NodeView.SERVER;
        }
        return provider != null && provider.partition().equals(partition) ? provider.name() : NodeView.AGENT;
    }
}
