/**
 * Has volumes provisioned for the nodes of pods; begin with {@link dev.sluice.kubernetes.volumes.VolumeSelector}. Which
 * nodes a pod may run on because of its volumes is part of {@link dev.sluice.kubernetes.translation}.
 */
package dev.sluice.kubernetes.volumes;
