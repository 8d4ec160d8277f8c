package dev.sluice.runtime.journal.codec;

import dev.sluice.core.application.ApplicationCondition;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.FailurePolicy;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.configuration.PlacementRule;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.TaskOutcome;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Maps the constants of an enum to stable numbers, independent of their order. New constants are appended; a removed
 * constant is replaced in the list by the constant to read instead of it.
 *
 * @param <E> the enum
 */
final class EnumCodec<E extends Enum<E>> {

    static final EnumCodec<ApplicationState> APPLICATION_STATE = new EnumCodec<>(
            ApplicationState.class,
            List.of(
                    ApplicationState.NEW,
                    ApplicationState.ACCEPTED,
                    ApplicationState.STARTING,
                    ApplicationState.RUNNING,
                    ApplicationState.REJECTED,
                    ApplicationState.COMPLETING,
                    ApplicationState.COMPLETED,
                    ApplicationState.FAILING,
                    ApplicationState.FAILED,
                    ApplicationState.EXPIRED,
                    ApplicationState.RESUMING));

    static final EnumCodec<FailurePolicy> FAILURE_POLICY =
            new EnumCodec<>(FailurePolicy.class, List.of(FailurePolicy.CONTINUE, FailurePolicy.STOP));

    static final EnumCodec<StopReason> STOP_REASON = new EnumCodec<>(
            StopReason.class,
            List.of(
                    StopReason.CANCELLED,
                    StopReason.STOPPED,
                    StopReason.TIMEOUT,
                    StopReason.APPLICATION_FAILED,
                    StopReason.REBALANCE,
                    StopReason.WITHDRAWN));

    static final EnumCodec<TaskCondition> TASK_CONDITION =
            new EnumCodec<>(TaskCondition.class, List.of(TaskCondition.STARTED, TaskCondition.SUCCEEDED));

    static final EnumCodec<ApplicationCondition> APPLICATION_CONDITION = new EnumCodec<>(
            ApplicationCondition.class,
            List.of(ApplicationCondition.SUCCEEDED, ApplicationCondition.FAILED, ApplicationCondition.ENDED));

    static final EnumCodec<TaskOutcome> TASK_OUTCOME = new EnumCodec<>(
            TaskOutcome.class,
            List.of(
                    TaskOutcome.SUCCEEDED,
                    TaskOutcome.FAILED,
                    TaskOutcome.TIMED_OUT,
                    TaskOutcome.LOST,
                    TaskOutcome.STOPPED));

    static final EnumCodec<NodeHealth> NODE_HEALTH = new EnumCodec<>(
            NodeHealth.class, List.of(NodeHealth.READY, NodeHealth.SUSPENDED, NodeHealth.FLAKY, NodeHealth.LOST));

    static final EnumCodec<NodeSortPolicy> NODE_SORT_POLICY =
            new EnumCodec<>(NodeSortPolicy.class, List.of(NodeSortPolicy.FAIR, NodeSortPolicy.BIN_PACKING));

    static final EnumCodec<ApplicationSortPolicy> APPLICATION_SORT_POLICY = new EnumCodec<>(
            ApplicationSortPolicy.class,
            List.of(
                    ApplicationSortPolicy.FIFO,
                    ApplicationSortPolicy.FAIR,
                    ApplicationSortPolicy.STATE_AWARE,
                    ApplicationSortPolicy.FEWEST_RUNNING));

    static final EnumCodec<SharePolicyKind> SHARE_POLICY = new EnumCodec<>(
            SharePolicyKind.class, List.of(SharePolicyKind.FAIR, SharePolicyKind.LOAD, SharePolicyKind.USAGE));

    static final EnumCodec<PlacementRule.Kind> PLACEMENT_RULE = new EnumCodec<>(
            PlacementRule.Kind.class,
            List.of(
                    PlacementRule.Kind.PROVIDED,
                    PlacementRule.Kind.USER,
                    PlacementRule.Kind.FIXED,
                    PlacementRule.Kind.TAG));

    private final Class<E> type;
    private final List<E> constants;
    private final Map<E, Integer> numbers;

    private EnumCodec(Class<E> type, List<E> constants) {
        this.type = type;
        this.constants = constants;
        this.numbers = new EnumMap<>(type);
        for (E constant : type.getEnumConstants()) {
            int number = constants.indexOf(constant);
            if (number < 0) {
                throw new IllegalStateException(type.getSimpleName() + "." + constant + " has no number in the codec");
            }
            numbers.put(constant, number);
        }
    }

    void write(BinaryWriter out, E constant) {
        out.number(Objects.requireNonNull(numbers.get(constant)));
    }

    E read(BinaryReader in) {
        long number = in.number();
        if (number < 0 || number >= constants.size()) {
            throw new IllegalStateException(
                    "unknown " + type.getSimpleName() + " number " + number + "; it may be from a later release");
        }
        return constants.get((int) number);
    }
}
