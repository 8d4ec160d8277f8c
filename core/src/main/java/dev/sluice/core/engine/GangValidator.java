package dev.sluice.core.engine;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.state.Partition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks that the gang of a submission names tasks that can start together. */
final class GangValidator {

    private GangValidator() {}

    static @Nullable Refusal validate(Partition partition, ApplicationSpec spec) {
        Gang gang = spec.gang();
        if (gang == null) {
            return null;
        }
        Gang.Topology topology = gang.topology();
        List<String> keys = partition.configuration().topology();
        if (topology != null && !keys.contains(topology.key())) {
            return new Refusal(
                    Refusal.Code.INVALID,
                    "the gang of application " + spec.id() + " names the topology key " + topology.key()
                            + ", which partition " + partition.name() + " does not have: "
                            + (keys.isEmpty()
                                    ? "add topology to its configuration"
                                    : "use one of " + String.join(", ", keys)));
        }
        Map<String, TaskSpec> tasks = new HashMap<>();
        spec.tasks().forEach(task -> tasks.put(task.name(), task));
        for (Map.Entry<String, Integer> minimum : gang.tasks().entrySet()) {
            String problem = problem(spec, minimum.getKey(), minimum.getValue(), tasks.get(minimum.getKey()));
            if (problem != null) {
                return new Refusal(Refusal.Code.INVALID, problem);
            }
        }
        return null;
    }

    private static @Nullable String problem(ApplicationSpec spec, String name, int minimum, @Nullable TaskSpec task) {
        String gang = "the gang of application " + spec.id();
        if (task == null) {
            return gang + " names tasks " + name + ", which it does not have: submit them together with the gang";
        }
        if (minimum > task.size()) {
            return gang + " needs " + minimum + " tasks " + name + ", but there are only " + task.size()
                    + ": lower the number or raise count";
        }
        if (!task.after().isEmpty()) {
            return gang + " cannot include tasks " + name
                    + ", which start after other tasks: remove after, or leave them out of the gang";
        }
        return null;
    }
}
