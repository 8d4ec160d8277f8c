package dev.sluice.runtime.journal.codec;

import static dev.sluice.runtime.journal.codec.PresenceBits.bit;
import static dev.sluice.runtime.journal.codec.PresenceBits.has;

import dev.sluice.core.configuration.Limit;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PlacementRule;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueConfiguration.ChildTemplate;
import dev.sluice.core.configuration.RuleFilter;
import dev.sluice.core.resource.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Encodes and decodes the configuration of a partition. The bits never change their meaning. */
final class ConfigurationCodec {

    /** The maximum nesting of queues and of placement rules, far above that of real configurations. */
    static final int DEPTH_MAX = 500;

    private static final int PARTITION_RULES = 1;
    private static final int PARTITION_PREEMPTION = 1 << 1;
    private static final int PARTITION_QUOTA_PREEMPTION = 1 << 2;
    private static final int PARTITION_TOPOLOGY = 1 << 3;
    private static final int PARTITION_ALL = (1 << 4) - 1;

    private static final int RULE_CREATE = 1;
    private static final int RULE_PARENT = 1 << 1;
    private static final int RULE_ALLOW = 1 << 2;
    private static final int RULE_USERS = 1 << 3;
    private static final int RULE_GROUPS = 1 << 4;
    private static final int RULE_ALL = (1 << 5) - 1;

    private static final int QUEUE_PARENT = 1;
    private static final int QUEUE_GUARANTEED = 1 << 1;
    private static final int QUEUE_MAX = 1 << 2;
    private static final int QUEUE_MAX_APPLICATIONS = 1 << 3;
    private static final int QUEUE_SUBMIT_ACL = 1 << 4;
    private static final int QUEUE_ADMIN_ACL = 1 << 5;
    private static final int QUEUE_LIMITS = 1 << 6;
    private static final int QUEUE_TEMPLATE = 1 << 7;
    private static final int QUEUE_CHILDREN = 1 << 8;
    private static final int QUEUE_ALL = (1 << 9) - 1;

    private static final int TEMPLATE_ALL = 0;

    private static final int LIMIT_ALL = 0;

    private ConfigurationCodec() {}

    static void writePartition(ValueWriter to, PartitionConfiguration partition) {
        BinaryWriter out = to.out;
        out.number(bit(PARTITION_RULES, !partition.placementRules().isEmpty())
                | bit(PARTITION_PREEMPTION, partition.preemption())
                | bit(PARTITION_QUOTA_PREEMPTION, partition.quotaPreemption())
                | bit(PARTITION_TOPOLOGY, !partition.topology().isEmpty()));
        out.text(partition.name());
        EnumCodec.NODE_SORT_POLICY.write(out, partition.nodeSortPolicy());
        out.number(partition.resourceWeights().size());
        partition.resourceWeights().forEach((type, weight) -> {
            out.text(type);
            out.decimal(weight);
        });
        if (!partition.placementRules().isEmpty()) {
            out.number(partition.placementRules().size());
            partition.placementRules().forEach(rule -> writeRule(to, rule, 0));
        }
        writeQueue(to, partition.root(), 0);
        if (!partition.topology().isEmpty()) {
            to.texts(partition.topology());
        }
    }

    static PartitionConfiguration readPartition(ValueReader from) {
        BinaryReader in = from.in;
        int fields = PresenceBits.read(in, PARTITION_ALL, "partition");
        String name = in.text();
        var nodeSortPolicy = EnumCodec.NODE_SORT_POLICY.read(in);
        SortedMap<String, Double> weights = new TreeMap<>();
        int count = in.count();
        for (int i = 0; i < count; i++) {
            String type = in.text();
            weights.put(type, in.decimal());
        }
        List<PlacementRule> rules = new ArrayList<>();
        if (has(fields, PARTITION_RULES)) {
            int rulesCount = in.count();
            for (int i = 0; i < rulesCount; i++) {
                rules.add(readRule(from, 0));
            }
        }
        QueueConfiguration root = readQueue(from, 0);
        List<String> topology = has(fields, PARTITION_TOPOLOGY) ? from.texts() : List.of();
        return new PartitionConfiguration(
                name,
                root,
                rules,
                nodeSortPolicy,
                weights,
                has(fields, PARTITION_PREEMPTION),
                has(fields, PARTITION_QUOTA_PREEMPTION),
                topology);
    }

    private static void writeRule(ValueWriter to, PlacementRule rule, int depth) {
        checkDepth(depth);
        RuleFilter filter = rule.filter();
        to.out.number(bit(RULE_CREATE, rule.create())
                | bit(RULE_PARENT, rule.parent())
                | bit(RULE_ALLOW, filter.allow())
                | bit(RULE_USERS, !filter.users().isEmpty())
                | bit(RULE_GROUPS, !filter.groups().isEmpty()));
        EnumCodec.PLACEMENT_RULE.write(to.out, rule.kind());
        to.out.text(rule.value());
        if (rule.parent() != null) {
            writeRule(to, rule.parent(), depth + 1);
        }
        if (!filter.users().isEmpty()) {
            to.texts(filter.users());
        }
        if (!filter.groups().isEmpty()) {
            to.texts(filter.groups());
        }
    }

    private static PlacementRule readRule(ValueReader from, int depth) {
        checkDepth(depth);
        int fields = PresenceBits.read(from.in, RULE_ALL, "placement rule");
        PlacementRule.Kind kind = EnumCodec.PLACEMENT_RULE.read(from.in);
        String value = from.in.text();
        PlacementRule parent = has(fields, RULE_PARENT) ? readRule(from, depth + 1) : null;
        List<String> users = has(fields, RULE_USERS) ? from.texts() : List.of();
        List<String> groups = has(fields, RULE_GROUPS) ? from.texts() : List.of();
        return new PlacementRule(
                kind, value, has(fields, RULE_CREATE), parent, new RuleFilter(has(fields, RULE_ALLOW), users, groups));
    }

    private static void writeQueue(ValueWriter to, QueueConfiguration queue, int depth) {
        checkDepth(depth);
        BinaryWriter out = to.out;
        out.number(bit(QUEUE_PARENT, queue.parent())
                | bit(QUEUE_GUARANTEED, !queue.guaranteed().isEmpty())
                | bit(QUEUE_MAX, !queue.max().isEmpty())
                | bit(QUEUE_MAX_APPLICATIONS, queue.maxApplications() != 0)
                | bit(QUEUE_SUBMIT_ACL, !queue.submitAcl().isEmpty())
                | bit(QUEUE_ADMIN_ACL, !queue.adminAcl().isEmpty())
                | bit(QUEUE_LIMITS, !queue.limits().isEmpty())
                | bit(QUEUE_TEMPLATE, queue.childTemplate())
                | bit(QUEUE_CHILDREN, !queue.children().isEmpty()));
        out.text(queue.name());
        PropertyCodec.write(out, queue.properties());
        if (!queue.guaranteed().isEmpty()) {
            to.resources(queue.guaranteed());
        }
        if (!queue.max().isEmpty()) {
            to.resources(queue.max());
        }
        if (queue.maxApplications() != 0) {
            out.number(queue.maxApplications());
        }
        if (!queue.submitAcl().isEmpty()) {
            out.text(queue.submitAcl());
        }
        if (!queue.adminAcl().isEmpty()) {
            out.text(queue.adminAcl());
        }
        if (!queue.limits().isEmpty()) {
            out.number(queue.limits().size());
            queue.limits().forEach(limit -> writeLimit(to, limit));
        }
        if (queue.childTemplate() != null) {
            writeTemplate(to, queue.childTemplate());
        }
        if (!queue.children().isEmpty()) {
            out.number(queue.children().size());
            queue.children().forEach(child -> writeQueue(to, child, depth + 1));
        }
    }

    private static QueueConfiguration readQueue(ValueReader from, int depth) {
        checkDepth(depth);
        BinaryReader in = from.in;
        int fields = PresenceBits.read(in, QUEUE_ALL, "queue");
        String name = in.text();
        var properties = PropertyCodec.read(in);
        Resources guaranteed = has(fields, QUEUE_GUARANTEED) ? from.resources() : Resources.NONE;
        Resources max = has(fields, QUEUE_MAX) ? from.resources() : Resources.NONE;
        long maxApplications = has(fields, QUEUE_MAX_APPLICATIONS) ? in.number() : 0;
        String submitAcl = has(fields, QUEUE_SUBMIT_ACL) ? in.text() : "";
        String adminAcl = has(fields, QUEUE_ADMIN_ACL) ? in.text() : "";
        List<Limit> limits = new ArrayList<>();
        if (has(fields, QUEUE_LIMITS)) {
            int count = in.count();
            for (int i = 0; i < count; i++) {
                limits.add(readLimit(from));
            }
        }
        @Nullable ChildTemplate template = has(fields, QUEUE_TEMPLATE) ? readTemplate(from) : null;
        List<QueueConfiguration> children = new ArrayList<>();
        if (has(fields, QUEUE_CHILDREN)) {
            int count = in.count();
            for (int i = 0; i < count; i++) {
                children.add(readQueue(from, depth + 1));
            }
        }
        return new QueueConfiguration(
                name,
                has(fields, QUEUE_PARENT),
                guaranteed,
                max,
                maxApplications,
                properties,
                submitAcl,
                adminAcl,
                limits,
                template,
                children);
    }

    private static void writeLimit(ValueWriter to, Limit limit) {
        to.out.number(LIMIT_ALL);
        to.out.text(limit.description());
        to.texts(limit.users());
        to.texts(limit.groups());
        to.resources(limit.maxResources());
        to.out.number(limit.maxApplications());
    }

    private static Limit readLimit(ValueReader from) {
        PresenceBits.read(from.in, LIMIT_ALL, "limit");
        String description = from.in.text();
        List<String> users = from.texts();
        List<String> groups = from.texts();
        Resources maxResources = from.resources();
        return new Limit(description, users, groups, maxResources, from.in.number());
    }

    private static void writeTemplate(ValueWriter to, ChildTemplate template) {
        to.out.number(TEMPLATE_ALL);
        to.out.number(template.maxApplications());
        to.resources(template.guaranteed());
        to.resources(template.max());
        PropertyCodec.write(to.out, template.properties());
    }

    private static ChildTemplate readTemplate(ValueReader from) {
        PresenceBits.read(from.in, TEMPLATE_ALL, "template");
        long maxApplications = from.in.number();
        Resources guaranteed = from.resources();
        Resources max = from.resources();
        return new ChildTemplate(maxApplications, guaranteed, max, PropertyCodec.read(from.in));
    }

    private static void checkDepth(int depth) {
        if (depth > DEPTH_MAX) {
            throw new IllegalStateException(
                    "queues or placement rules are nested more than " + DEPTH_MAX + " levels deep");
        }
    }
}
