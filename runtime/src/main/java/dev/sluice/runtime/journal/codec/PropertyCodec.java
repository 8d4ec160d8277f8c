package dev.sluice.runtime.journal.codec;

import static dev.sluice.runtime.journal.codec.PresenceBits.bit;
import static dev.sluice.runtime.journal.codec.PresenceBits.has;

import dev.sluice.core.configuration.AdmissionLimits;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.LoadProperties;
import dev.sluice.core.configuration.PreemptionPolicy;
import dev.sluice.core.configuration.PreemptionProperties;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.ReservationProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.configuration.UsageProperties;
import java.time.Duration;

/** Encodes and decodes the properties of a queue. The bits never change their meaning. */
final class PropertyCodec {

    private static final int SORT_POLICY = 1;
    private static final int SORT_PRIORITY = 1 << 1;
    private static final int OFFSET = 1 << 2;
    private static final int FENCE = 1 << 3;
    private static final int SHARE_POLICY = 1 << 4;
    private static final int LOAD = 1 << 5;
    private static final int USAGE = 1 << 6;
    private static final int TASK_TIMEOUT = 1 << 7;
    private static final int ADMISSION = 1 << 8;
    private static final int PREEMPTION = 1 << 9;
    private static final int RESERVATION = 1 << 12;
    private static final int ALL = (1 << 10) - 1 | RESERVATION;

    private static final int LOAD_PERCENT = 1;

    private static final int USAGE_PROBABILISTIC = 1;

    private static final int ADMISSION_ALL = 0;

    private static final int PREEMPTION_DELAY = 1;
    private static final int PREEMPTION_BY_PRIORITY = 1 << 1;
    private static final int PREEMPTION_MINIMUM_RUNTIME = 1 << 2;
    private static final int PREEMPTION_QUOTA_DELAY = 1 << 3;
    private static final int PREEMPTION_ALL = (1 << 4) - 1;

    private static final int RESERVATION_DELAY = 1;
    private static final int RESERVATION_MAX = 1 << 1;
    private static final int RESERVATION_DELAYS_MAX = 1 << 2;
    private static final int RESERVATION_ALL = (1 << 3) - 1;

    private PropertyCodec() {}

    static void write(BinaryWriter out, QueueProperties properties) {
        QueueProperties defaults = QueueProperties.DEFAULTS;
        boolean load = !properties.load().equals(defaults.load());
        boolean usage = !properties.usage().equals(defaults.usage());
        boolean preemption = !properties.preemption().equals(defaults.preemption());
        boolean reservation = !properties.reservation().equals(defaults.reservation());
        boolean admission = !properties.admission().equals(defaults.admission());
        out.number(bit(SORT_POLICY, properties.applicationSortPolicy())
                | bit(SORT_PRIORITY, properties.applicationSortPriority())
                | bit(OFFSET, properties.priorityOffset() != 0)
                | bit(FENCE, properties.priorityFence())
                | bit(SHARE_POLICY, properties.sharePolicy() != SharePolicyKind.FAIR)
                | bit(LOAD, load)
                | bit(USAGE, usage)
                | bit(TASK_TIMEOUT, properties.taskTimeout())
                | bit(ADMISSION, admission)
                | bit(PREEMPTION, preemption)
                | bit(RESERVATION, reservation));
        if (properties.applicationSortPolicy() != null) {
            EnumCodec.APPLICATION_SORT_POLICY.write(out, properties.applicationSortPolicy());
        }
        if (properties.applicationSortPriority() != null) {
            out.flag(properties.applicationSortPriority());
        }
        if (properties.priorityOffset() != 0) {
            out.signed(properties.priorityOffset());
        }
        if (properties.sharePolicy() != SharePolicyKind.FAIR) {
            EnumCodec.SHARE_POLICY.write(out, properties.sharePolicy());
        }
        if (load) {
            writeLoad(out, properties.load());
        }
        if (usage) {
            writeUsage(out, properties.usage());
        }
        if (properties.taskTimeout() != null) {
            out.duration(properties.taskTimeout());
        }
        if (admission) {
            out.number(ADMISSION_ALL);
            out.number(properties.admission().maxUsers());
            out.number(properties.admission().maxApplicationsPerUser());
        }
        if (preemption) {
            writePreemption(out, properties.preemption());
        }
        if (reservation) {
            writeReservation(out, properties.reservation());
        }
    }

    static QueueProperties read(BinaryReader in) {
        int fields = PresenceBits.read(in, ALL, "queue's properties");
        ApplicationSortPolicy sortPolicy = has(fields, SORT_POLICY) ? EnumCodec.APPLICATION_SORT_POLICY.read(in) : null;
        Boolean sortPriority = has(fields, SORT_PRIORITY) ? Boolean.valueOf(in.flag()) : null;
        int offset = has(fields, OFFSET) ? in.signedInteger() : 0;
        SharePolicyKind sharePolicy =
                has(fields, SHARE_POLICY) ? EnumCodec.SHARE_POLICY.read(in) : SharePolicyKind.FAIR;
        LoadProperties load = has(fields, LOAD) ? readLoad(in) : LoadProperties.DEFAULTS;
        UsageProperties usage = has(fields, USAGE) ? readUsage(in) : UsageProperties.DEFAULTS;
        Duration taskTimeout = has(fields, TASK_TIMEOUT) ? in.duration() : null;
        AdmissionLimits admission = has(fields, ADMISSION) ? readAdmission(in) : AdmissionLimits.NONE;
        PreemptionProperties preemption = has(fields, PREEMPTION) ? readPreemption(in) : PreemptionProperties.DEFAULTS;
        ReservationProperties reservation =
                has(fields, RESERVATION) ? readReservation(in) : ReservationProperties.DEFAULTS;
        return new QueueProperties(
                sortPolicy,
                sortPriority,
                offset,
                has(fields, FENCE),
                sharePolicy,
                load,
                usage,
                taskTimeout,
                admission,
                preemption,
                reservation);
    }

    private static void writeLoad(BinaryWriter out, LoadProperties load) {
        out.number(bit(LOAD_PERCENT, load.percent()));
        if (load.percent() != null) {
            out.number(load.percent());
        }
        out.number(load.rebalanceThreshold());
        out.duration(load.rebalanceMinimumDuration());
    }

    private static LoadProperties readLoad(BinaryReader in) {
        int fields = PresenceBits.read(in, LOAD_PERCENT, "load");
        Integer percent = has(fields, LOAD_PERCENT) ? Integer.valueOf(in.integer()) : null;
        int threshold = in.integer();
        return new LoadProperties(percent, threshold, in.duration());
    }

    private static void writeUsage(BinaryWriter out, UsageProperties usage) {
        out.number(bit(USAGE_PROBABILISTIC, usage.probabilisticAll()));
        out.duration(usage.halftime());
        out.number(usage.drawsMax());
        out.decimal(usage.factor());
    }

    private static UsageProperties readUsage(BinaryReader in) {
        int fields = PresenceBits.read(in, USAGE_PROBABILISTIC, "usage");
        Duration halftime = in.duration();
        long drawsMax = in.number();
        return new UsageProperties(halftime, has(fields, USAGE_PROBABILISTIC), drawsMax, in.decimal());
    }

    private static void writePreemption(BinaryWriter out, PreemptionProperties preemption) {
        out.number(bit(PREEMPTION_DELAY, preemption.delay())
                | bit(PREEMPTION_BY_PRIORITY, preemption.byPriority())
                | bit(PREEMPTION_MINIMUM_RUNTIME, preemption.minimumRuntime())
                | bit(PREEMPTION_QUOTA_DELAY, !preemption.quotaDelay().isZero()));
        EnumCodec.PREEMPTION_POLICY.write(out, preemption.policy());
        if (preemption.delay() != null) {
            out.duration(preemption.delay());
        }
        if (preemption.byPriority() != null) {
            out.flag(preemption.byPriority());
        }
        if (preemption.minimumRuntime() != null) {
            out.duration(preemption.minimumRuntime());
        }
        if (!preemption.quotaDelay().isZero()) {
            out.duration(preemption.quotaDelay());
        }
    }

    private static PreemptionProperties readPreemption(BinaryReader in) {
        int fields = PresenceBits.read(in, PREEMPTION_ALL, "preemption");
        PreemptionPolicy policy = EnumCodec.PREEMPTION_POLICY.read(in);
        Duration delay = has(fields, PREEMPTION_DELAY) ? in.duration() : null;
        Boolean byPriority = has(fields, PREEMPTION_BY_PRIORITY) ? Boolean.valueOf(in.flag()) : null;
        Duration minimumRuntime = has(fields, PREEMPTION_MINIMUM_RUNTIME) ? in.duration() : null;
        return new PreemptionProperties(
                policy,
                delay,
                byPriority,
                minimumRuntime,
                has(fields, PREEMPTION_QUOTA_DELAY) ? in.duration() : Duration.ZERO);
    }

    private static void writeReservation(BinaryWriter out, ReservationProperties reservation) {
        out.number(bit(RESERVATION_DELAY, reservation.delay())
                | bit(RESERVATION_MAX, reservation.max())
                | bit(RESERVATION_DELAYS_MAX, reservation.delaysMax()));
        if (reservation.delay() != null) {
            out.duration(reservation.delay());
        }
        if (reservation.max() != null) {
            out.number(reservation.max());
        }
        if (reservation.delaysMax() != null) {
            out.number(reservation.delaysMax());
        }
    }

    private static ReservationProperties readReservation(BinaryReader in) {
        int fields = PresenceBits.read(in, RESERVATION_ALL, "reservation");
        Duration delay = has(fields, RESERVATION_DELAY) ? in.duration() : null;
        Integer max = has(fields, RESERVATION_MAX) ? Integer.valueOf(in.integer()) : null;
        Integer delaysMax = has(fields, RESERVATION_DELAYS_MAX) ? Integer.valueOf(in.integer()) : null;
        return new ReservationProperties(delay, max, delaysMax);
    }

    private static AdmissionLimits readAdmission(BinaryReader in) {
        PresenceBits.read(in, ADMISSION_ALL, "admission");
        long maxUsers = in.number();
        return new AdmissionLimits(maxUsers, in.number());
    }
}
