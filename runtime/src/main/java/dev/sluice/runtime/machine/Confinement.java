package dev.sluice.runtime.machine;

/**
 * What all tasks may use of this machine, and as whom.
 *
 * @param gpus the GPUs to assign
 * @param limits how the limits of each task are enforced
 * @param accounts as which users detached tasks run
 */
public record Confinement(Gpus gpus, Enforcement limits, Accounts accounts) {

    /** No GPUs are assigned and nothing is limited. */
    public static final Confinement NONE = new Confinement(Gpus.NONE, Enforcement.NONE);

    /** Creates a confinement of tasks that run as the user of this program. */
    public Confinement(Gpus gpus, Enforcement limits) {
        this(gpus, limits, Accounts.SHARED);
    }

    /** Returns a copy with other accounts. */
    public Confinement withAccounts(Accounts newAccounts) {
        return new Confinement(gpus, limits, newAccounts);
    }
}
