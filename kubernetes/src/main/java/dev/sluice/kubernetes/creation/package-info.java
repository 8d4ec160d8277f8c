/**
 * Tasks as pods: {@link dev.sluice.kubernetes.creation.PodManifest} describes the pod of a run, {@link
 * dev.sluice.kubernetes.creation.PodFields} refuses what submitters must not write, {@link
 * dev.sluice.kubernetes.creation.PodCreator} creates pods, and {@link dev.sluice.kubernetes.creation.PodRemover} removes
 * them some time after their end.
 */
package dev.sluice.kubernetes.creation;
