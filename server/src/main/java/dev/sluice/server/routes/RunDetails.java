package dev.sluice.server.routes;

import dev.sluice.runtime.executor.MeasuredUse;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a run beside its state.
 *
 * @param text why it cannot start at present, or its GPUs; null if there is neither
 * @param measured what it has used
 */
record RunDetails(@Nullable String text, MeasuredUse measured) {

    static final RunDetails NONE = new RunDetails(null, MeasuredUse.NONE);
}
