/**
 * Routes, independent of HTTP. A {@link dev.sluice.server.route.Route} describes an operation: path, parameters, body,
 * responses, role and problem types; its {@link dev.sluice.server.route.Handler} turns a
 * {@link dev.sluice.server.route.Call} into an {@link dev.sluice.server.route.ApiResponse} or throws a
 * {@link dev.sluice.server.route.ProblemException} of one {@link dev.sluice.server.route.ProblemKind}, answered as a
 * {@link dev.sluice.server.route.ProblemDetails}. Fields that may be omitted are annotated
 * {@link dev.sluice.server.route.OptionalField}. Routes of the page answer problems with a
 * {@link dev.sluice.server.route.ProblemPage}.
 */
package dev.sluice.server.route;
