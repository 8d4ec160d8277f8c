/**
 * Requests to the API server as values: {@link dev.sluice.kubernetes.request.ApiRequests} sends them and returns an
 * {@link dev.sluice.kubernetes.request.ApiAnswer}, also where the server refuses or does not answer.
 * {@link dev.sluice.kubernetes.request.PacedQueue} limits how many are sent per second.
 */
package dev.sluice.kubernetes.request;
