/**
 * Routes over HTTP. {@link dev.sluice.server.http.HttpServer} listens on the loopback address and answers what the routes of
 * {@link dev.sluice.server.route} answer; {@code Exchange} is one request with its answer: {@code Router} finds its route, {@code Body} gathers what is
 * sent, {@code RequestCall} is what the route sees of it. {@code CrossSite} keeps pages of other sites out, {@code ProblemErrorHandler} answers what comes to no route. {@link dev.sluice.server.http.Json} says how values are written and read,
 * {@link dev.sluice.server.http.RequiredFields} what of them may be left out.
 */
package dev.sluice.server.http;
