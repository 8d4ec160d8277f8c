package dev.sluice.runtime.machine;

import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Quantity;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import org.jspecify.annotations.Nullable;

/**
 * What a run may use of this machine, and for whom.
 *
 * @param submitter the user of the application; empty if unknown
 * @param gpus the number of its GPUs
 * @param memory the maximum memory of its processes in bytes; {@link Long#MAX_VALUE}: unlimited
 * @param millicores the maximum of processor time in thousandths of a core; {@link Long#MAX_VALUE}: unlimited
 */
public record RunRequest(String submitter, int gpus, long memory, long millicores) {

    /** No GPUs and no limits. */
    public static final RunRequest NONE = new RunRequest("", 0, Long.MAX_VALUE, Long.MAX_VALUE);

    /** Creates a request of an unknown user. */
    public RunRequest(int gpus, long memory, long millicores) {
        this("", gpus, memory, millicores);
    }

    /** Returns the request of a user's task; resources that it does not request are not limited. */
    public static RunRequest of(String submitter, Resources resources) {
        return new RunRequest(
                submitter,
                (int) Math.min(
                        Integer.MAX_VALUE, resources.amount(Gpus.RESOURCE).value()),
                limit(resources.amount(ResourceTypes.MEMORY)),
                limit(resources.amount(ResourceTypes.VCORE)));
    }

    private static long limit(Amount requested) {
        return requested.value() == 0 ? Long.MAX_VALUE : requested.value();
    }

    /**
     * Returns the reason of an end because of memory.
     *
     * @param used what was used
     * @param memory the limit in bytes
     */
    static String outOfMemory(String used, long memory) {
        return "out-of-memory: used " + used + " (" + Quantity.format(ResourceTypes.MEMORY, new Amount(memory)) + ")";
    }

    /** Returns the reason of an end because of the number of processes. */
    static String tooManyProcesses() {
        return "too-many-processes: more than " + Enforcement.PROCESSES_MAX + " processes and threads";
    }

    /**
     * Returns which limit this usage exceeds, or null.
     *
     * @param used the memory in bytes
     * @param processes the number of processes and threads
     */
    public @Nullable String exceededBy(long used, long processes) {
        if (used > memory) {
            long mebibytes = (used + (1 << 20) - 1) >> 20;
            return outOfMemory(mebibytes + "Mi, more than it requests", memory);
        }
        return processes > Enforcement.PROCESSES_MAX ? tooManyProcesses() : null;
    }
}
