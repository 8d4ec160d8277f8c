package dev.sluice.runtime.journal.codec;

import static dev.sluice.runtime.journal.codec.PresenceBits.bit;
import static dev.sluice.runtime.journal.codec.PresenceBits.has;

import dev.sluice.core.configuration.AdmissionLimits;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.LoadProperties;
import dev.sluice.core.configuration.QueueProperties;
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
    private static final int ALL = (1 << 9) - 1;

    private static final int LOAD_PERCENT = 1;

    private static final int USAGE_PROBABILISTIC = 1;

    private static final int ADMISSION_ALL = 0;

    private PropertyCodec() {}

    static void write(BinaryWriter out, QueueProperties properties) {
        QueueProperties defaults = QueueProperties.DEFAULTS;
        boolean load = !properties.load().equals(defaults.load());
        boolean usage = !properties.usage().equals(defaults.usage());
        boolean admission = !properties.admission().equals(defaults.admission());
        out.number(bit(SORT_POLICY, properties.applicationSortPolicy())
                | bit(SORT_PRIORITY, properties.applicationSortPriority())
                | bit(OFFSET, properties.priorityOffset() != 0)
                | bit(FENCE, properties.priorityFence())
                | bit(SHARE_POLICY, properties.sharePolicy() != SharePolicyKind.FAIR)
                | bit(LOAD, load)
                | bit(USAGE, usage)
                | bit(TASK_TIMEOUT, properties.taskTimeout())
                | bit(ADMISSION, admission));
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
        return new QueueProperties(
                sortPolicy, sortPriority, offset, has(fields, FENCE), sharePolicy, load, usage, taskTimeout, admission);
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

    private static AdmissionLimits readAdmission(BinaryReader in) {
        PresenceBits.read(in, ADMISSION_ALL, "admission");
        long maxUsers = in.number();
        return new AdmissionLimits(maxUsers, in.number());
    }
}
