/**
 * Stops pods of allocated tasks in the background; begin with {@link dev.sluice.kubernetes.eviction.PodEvictor}. It
 * never decides which pods end, and reports each request once: the pod is being stopped, it is gone, or it failed.
 */
package dev.sluice.kubernetes.eviction;
