/**
 * What tasks may use of this machine: its GPUs ({@link dev.sluice.runtime.machine.Gpus}), of which each belongs to one
 * run at a time, and the limits of a run ({@link dev.sluice.runtime.machine.Enforcement}). And as whom they run
 * ({@link dev.sluice.runtime.machine.Accounts}).
 */
package dev.sluice.runtime.machine;
