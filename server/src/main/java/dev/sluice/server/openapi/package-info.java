/**
 * The OpenAPI description of the API. {@link dev.sluice.server.openapi.OpenApiDocument} writes the route table as
 * OpenAPI 3.1, {@code Schemas} the records of {@link dev.sluice.server.api} as JSON schemas, and
 * {@link dev.sluice.config.reference.JsonSchema} the keys by which submissions are read. Everything is generated, so it
 * matches what the server does.
 */
package dev.sluice.server.openapi;
