/**
 * The routes by topic: {@link dev.sluice.server.routes.SubmissionRoutes},
 * {@link dev.sluice.server.routes.ApplicationRoutes}, {@link dev.sluice.server.routes.TaskRoutes},
 * {@link dev.sluice.server.routes.PartitionRoutes} with queues and load classes,
 * {@link dev.sluice.server.routes.NodeRoutes}, {@link dev.sluice.server.routes.ConfigurationRoutes},
 * {@link dev.sluice.server.routes.EventRoutes}, {@link dev.sluice.server.routes.HistoryRoutes},
 * {@link dev.sluice.server.routes.SnapshotRoutes}, {@link dev.sluice.server.routes.PlanRoutes} and
 * {@link dev.sluice.server.routes.ServerRoutes}.
 *
 * <p>They access the scheduler's state only through {@link dev.sluice.server.routes.Requests};
 * {@link dev.sluice.server.routes.IdempotencyCache} makes retries safe.
 */
package dev.sluice.server.routes;
