package dev.sluice.runtime.journal.codec;

import dev.sluice.core.application.ApplicationCondition;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.FailurePolicy;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.HostPort;
import dev.sluice.core.application.NodeSelectorRequirement;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaintEffect;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.Toleration;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.configuration.PlacementRule;
import dev.sluice.core.configuration.PreemptionPolicy;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.ReservationEnd;
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
                    StopReason.WITHDRAWN,
                    StopReason.TAINT,
                    StopReason.GUARANTEE,
                    StopReason.PRIORITY,
                    StopReason.QUOTA,
                    StopReason.GANG));

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

    static final EnumCodec<TaintEffect> TAINT_EFFECT = new EnumCodec<>(
            TaintEffect.class,
            List.of(TaintEffect.NO_SCHEDULE, TaintEffect.PREFER_NO_SCHEDULE, TaintEffect.NO_EXECUTE));

    static final EnumCodec<Toleration.Operator> TOLERATION_OPERATOR =
            new EnumCodec<>(Toleration.Operator.class, List.of(Toleration.Operator.EQUAL, Toleration.Operator.EXISTS));

    static final EnumCodec<NodeSelectorRequirement.Operator> REQUIREMENT_OPERATOR = new EnumCodec<>(
            NodeSelectorRequirement.Operator.class,
            List.of(
                    NodeSelectorRequirement.Operator.IN,
                    NodeSelectorRequirement.Operator.NOT_IN,
                    NodeSelectorRequirement.Operator.EXISTS,
                    NodeSelectorRequirement.Operator.DOES_NOT_EXIST,
                    NodeSelectorRequirement.Operator.GT,
                    NodeSelectorRequirement.Operator.LT));

    static final EnumCodec<HostPort.Protocol> PROTOCOL = new EnumCodec<>(
            HostPort.Protocol.class, List.of(HostPort.Protocol.TCP, HostPort.Protocol.UDP, HostPort.Protocol.SCTP));

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

    static final EnumCodec<PreemptionPolicy> PREEMPTION_POLICY = new EnumCodec<>(
            PreemptionPolicy.class,
            List.of(PreemptionPolicy.DEFAULT, PreemptionPolicy.FENCE, PreemptionPolicy.DISABLED));

    static final EnumCodec<ReservationEnd> RESERVATION_END = new EnumCodec<>(
            ReservationEnd.class,
            List.of(
                    ReservationEnd.STARTED,
                    ReservationEnd.WITHDRAWN,
                    ReservationEnd.NOT_PERMITTED,
                    ReservationEnd.NO_NODE,
                    ReservationEnd.OUTRANKED,
                    ReservationEnd.DISABLED));

    static final EnumCodec<PlacementRule.Kind> PLACEMENT_RULE = new EnumCodec<>(
            PlacementRule.Kind.class,
            List.of(
                    PlacementRule.Kind.PROVIDED,
                    PlacementRule.Kind.USER,
                    PlacementRule.Kind.FIXED,
                    PlacementRule.Kind.TAG));

    static final EnumCodec<Gang.Style> GANG_STYLE =
            new EnumCodec<>(Gang.Style.class, List.of(Gang.Style.SOFT, Gang.Style.HARD));

    static final EnumCodec<Gang.OnLoss> GANG_ON_LOSS =
            new EnumCodec<>(Gang.OnLoss.class, List.of(Gang.OnLoss.CONTINUE, Gang.OnLoss.RESTART));

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
