package dev.sluice.kubernetes.reconciliation;

import dev.sluice.core.command.Command;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The difference between a cluster and the state.
 *
 * @param commands what removes it, in order
 * @param refusals pods that are not scheduled, by unique id, each with the reasons
 */
public record Reconciliation(List<Command> commands, Map<String, List<String>> refusals) {

    /** Copies the collections. */
    public Reconciliation {
        commands = List.copyOf(commands);
        refusals = Collections.unmodifiableMap(new LinkedHashMap<>(refusals));
    }
}
