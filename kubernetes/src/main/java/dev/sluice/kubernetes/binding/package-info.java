/**
 * Binds pods to nodes in the background; begin with {@link dev.sluice.kubernetes.binding.PodBinder}. It never decides
 * where a pod runs, and reports each binding once: done, or failed for good.
 */
package dev.sluice.kubernetes.binding;
