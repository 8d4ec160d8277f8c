package dev.sluice.runtime.detached;

import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import dev.sluice.runtime.machine.Gpus;

/**
 * What a run may use of this machine.
 *
 * @param gpus the number of its GPUs
 * @param memory the maximum memory of its processes in bytes; {@link Long#MAX_VALUE}: unlimited
 * @param millicores the maximum of processor time in thousandths of a core; {@link Long#MAX_VALUE}: unlimited
 */
public record RunRequest(int gpus, long memory, long millicores) {

    /** No GPUs and no limits. */
    public static final RunRequest NONE = new RunRequest(0, Long.MAX_VALUE, Long.MAX_VALUE);

    /** Returns the request of a task; resources that it does not request are not limited. */
    public static RunRequest of(Resources resources) {
        return new RunRequest(
                (int) Math.min(
                        Integer.MAX_VALUE, resources.amount(Gpus.RESOURCE).value()),
                limit(resources.amount(ResourceTypes.MEMORY)),
                limit(resources.amount(ResourceTypes.VCORE)));
    }

    private static long limit(Amount requested) {
        return requested.value() == 0 ? Long.MAX_VALUE : requested.value();
    }
}
