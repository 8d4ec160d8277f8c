package dev.sluice.server;

import dev.sluice.runtime.host.EngineHost;
import dev.sluice.runtime.host.IncrementalQueryRunner;
import dev.sluice.runtime.host.NodeExecutor;
import dev.sluice.runtime.host.RemoteLogs;
import dev.sluice.runtime.host.TaskAdmission;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.server.access.AccessTokens;
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
        TaskAdmission admission,
        RemoteLogs remoteLogs,
        ServerMetrics metrics,
        HealthMonitor health) {}
