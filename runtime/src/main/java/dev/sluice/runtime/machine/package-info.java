/**
 * What tasks may use of this machine: its GPUs ({@link dev.sluice.runtime.machine.Gpus}), of which each belongs to one
 * run at a time.
 */
package dev.sluice.runtime.machine;
