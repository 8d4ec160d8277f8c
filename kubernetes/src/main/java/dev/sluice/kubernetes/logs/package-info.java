/**
 * Logs of the pods of tasks: {@link dev.sluice.kubernetes.logs.PodLogs} copies them from the API server into the log
 * folder, while somebody reads them and when pods end, so they remain when the pods are gone.
 */
package dev.sluice.kubernetes.logs;
