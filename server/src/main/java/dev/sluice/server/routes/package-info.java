/**
 * The routes, by what they are about: {@link dev.sluice.server.routes.SubmissionRoutes},
 * {@link dev.sluice.server.routes.ApplicationRoutes}, {@link dev.sluice.server.routes.TaskRoutes},
 * {@link dev.sluice.server.routes.PartitionRoutes} with queues and classes, {@link dev.sluice.server.routes.NodeRoutes},
 * {@link dev.sluice.server.routes.ConfigurationRoutes}, {@link dev.sluice.server.routes.EventRoutes} and
 * {@link dev.sluice.server.routes.ServerRoutes}.
 *
 * <p>They bring what is asked to the scheduler through {@link dev.sluice.server.routes.Requests} and look at the state only there;
 * {@link dev.sluice.server.routes.IdempotencyCache} see that a request that is sent again does nothing twice.
 */
package dev.sluice.server.routes;
