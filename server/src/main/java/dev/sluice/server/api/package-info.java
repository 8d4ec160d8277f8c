/**
 * The documents of the REST API: one record per request document and response view, except for submissions, which are
 * read and described by keys ({@link dev.sluice.config.snapshot.SubmissionReader}). Components that may be omitted are
 * annotated {@link dev.sluice.server.route.OptionalField}; all others are required. The OpenAPI schemas and the
 * validation of requests are derived from these records.
 */
package dev.sluice.server.api;
