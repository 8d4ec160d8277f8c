/**
 * Routes over HTTP. {@link dev.sluice.server.http.HttpServer} listens on the loopback address and serves the routes of
 * {@link dev.sluice.server.route}. {@code Exchange} handles one request and its response: {@code Router} finds the
 * route, {@code Body} reads the body, {@code RequestCall} is the route's view of the request. {@code CrossSite} refuses
 * cross-site requests, {@code ProblemErrorHandler} answers requests that reach no route.
 * {@link dev.sluice.server.http.Json} defines the JSON format, {@link dev.sluice.server.http.RequiredFields} checks
 * required fields.
 */
package dev.sluice.server.http;
