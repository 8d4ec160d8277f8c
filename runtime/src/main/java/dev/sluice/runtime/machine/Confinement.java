package dev.sluice.runtime.machine;

/**
 * What all tasks may use of this machine.
 *
 * @param gpus the GPUs to assign
 * @param limits how the limits of each task are enforced
 */
public record Confinement(Gpus gpus, Enforcement limits) {

    /** No GPUs are assigned and nothing is limited. */
    public static final Confinement NONE = new Confinement(Gpus.NONE, Enforcement.NONE);
}
