/**
 * Routes over HTTP. {@link dev.sluice.server.http.HttpServer} listens on the loopback address and answers what the routes of
 * {@link dev.sluice.server.route} answer; {@code JavalinCall} is a call as a route sees it, {@code CrossSite} keeps pages of other sites out,
 * {@code PlainProblems} answers what comes to no route. {@link dev.sluice.server.http.Json} says how values are written and read,
 * {@link dev.sluice.server.http.RequiredFields} what of them may be left out.
 */
package dev.sluice.server.http;
