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
 * @param applications the applications that were compared, by id
 * @param refusals pods of them that are not scheduled, by unique id, each with the reasons
 */
public record Reconciliation(List<Command> commands, List<String> applications, Map<String, List<String>> refusals) {

    /** Copies the collections. */
    public Reconciliation {
        commands = List.copyOf(commands);
        applications = List.copyOf(applications);
        refusals = Collections.unmodifiableMap(new LinkedHashMap<>(refusals));
    }
}
