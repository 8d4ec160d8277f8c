package dev.sluice.server;

import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.loop.Questions;
import dev.sluice.runtime.loop.SchedulerLoop;
import dev.sluice.server.configuration.Configurations;
import dev.sluice.server.live.LiveFeed;
import dev.sluice.server.live.LiveSituations;
import dev.sluice.server.metrics.ServerMetrics;
import dev.sluice.server.node.OwnNodes;
import dev.sluice.server.routes.Receipts;
import dev.sluice.server.routes.TaskLogs;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** What a server is made of, for those parts that answer requests. */
record Parts(
        DaemonSettings settings,
        InstantSource clock,
        JsonMapper json,
        JournalStore store,
        SchedulerLoop loop,
        Questions questions,
        LiveFeed feed,
        LiveSituations situations,
        Configurations configurations,
        Receipts receipts,
        TaskLogs logs,
        @Nullable OwnNodes nodes,
        ServerMetrics metrics,
        HealthMonitor health) {}
