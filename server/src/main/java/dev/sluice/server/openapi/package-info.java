/**
 * The description of the interface. {@link dev.sluice.server.openapi.OpenApiDocument} writes the route table as OpenAPI 3.1, {@code Schemas} the
 * records of {@link dev.sluice.server.api} as JSON schemas. Nothing is written by hand, so it cannot differ from what is served.
 */
package dev.sluice.server.openapi;
