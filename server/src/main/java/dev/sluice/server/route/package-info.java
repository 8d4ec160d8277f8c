/**
 * What a route is, without HTTP. A {@link dev.sluice.server.route.Route} says how something is asked for, what it takes and answers, who may ask
 * and what problems there may be; its {@link dev.sluice.server.route.Handler} turns a {@link dev.sluice.server.route.Call} into an
 * {@link dev.sluice.server.route.ApiResponse} or throws a {@link dev.sluice.server.route.ProblemException}, which is of one
 * {@link dev.sluice.server.route.ProblemKind} and is answered as a {@link dev.sluice.server.route.Problem}. What may be left out
 * of a document is an {@link dev.sluice.server.route.OptionalField}.
 */
package dev.sluice.server.route;
