package dev.sluice.config.queues;

import dev.sluice.config.field.DurationText;
import dev.sluice.config.output.AmountsOutput;
import dev.sluice.config.output.JsonPrinter;
import dev.sluice.config.output.Output;
import dev.sluice.config.output.Output.OutputList;
import dev.sluice.config.output.Output.OutputMap;
import dev.sluice.config.output.YamlPrinter;
import dev.sluice.core.configuration.Limit;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PlacementRule;
import dev.sluice.core.configuration.PreemptionPolicy;
import dev.sluice.core.configuration.PreemptionProperties;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.ReservationProperties;
import dev.sluice.core.configuration.RuleFilter;
import dev.sluice.core.resource.Resources;
import java.util.List;

/** Writes partitions as {@code queues.yaml}, without defaults. Reading the result gives equal values. */
public final class QueueConfigurationWriter {

    private QueueConfigurationWriter() {}

    /** Returns the partitions as YAML. */
    public static String yaml(List<PartitionConfiguration> partitions) {
        return YamlPrinter.print(new OutputMap().put("partitions", output(partitions)));
    }

    /** Returns the partitions as JSON. */
    public static String json(List<PartitionConfiguration> partitions) {
        return JsonPrinter.print(new OutputMap().put("partitions", output(partitions)));
    }

    /** Returns the list {@code partitions}. */
    public static Output output(List<PartitionConfiguration> partitions) {
        OutputList list = new OutputList();
        partitions.forEach(partition -> list.add(partition(partition)));
        return list;
    }

    private static Output partition(PartitionConfiguration partition) {
        OutputMap map = new OutputMap().put("name", Output.text(partition.name()));
        OutputMap nodeSort = new OutputMap();
        if (partition.nodeSortPolicy() != NodeSortPolicy.FAIR
                || !partition.resourceWeights().equals(PartitionConfiguration.DEFAULT_WEIGHTS)) {
            nodeSort.put("type", Output.text(partition.nodeSortPolicy().wireName()));
            OutputMap weights = new OutputMap();
            partition.resourceWeights().forEach((type, weight) -> weights.put(type, Output.number(weight)));
            nodeSort.put("resourceweights", weights);
            map.put("nodesortpolicy", nodeSort);
        }
        if (!partition.topology().isEmpty()) {
            putTexts(map, "topology", partition.topology());
        }
        OutputMap preemption = new OutputMap();
        if (!partition.preemption()) {
            preemption.put("enabled", Output.flag(false));
        }
        if (partition.quotaPreemption()) {
            preemption.put(QuotaPreemptionCheck.SWITCH, Output.flag(true));
        }
        if (!preemption.isEmpty()) {
            map.put("preemption", preemption);
        }
        if (!partition.placementRules().isEmpty()) {
            OutputList rules = new OutputList();
            partition.placementRules().forEach(rule -> rules.add(rule(rule)));
            map.put("placementrules", rules);
        }
        OutputList queues = new OutputList();
        queues.add(queue(partition.root()));
        return map.put("queues", queues);
    }

    private static Output rule(PlacementRule rule) {
        OutputMap map = new OutputMap().put("name", Output.text(rule.kind().wireName()));
        putText(map, "value", rule.value());
        if (rule.create()) {
            map.put("create", Output.flag(true));
        }
        RuleFilter filter = rule.filter();
        if (!filter.equals(RuleFilter.EVERYBODY)) {
            OutputMap filterMap = new OutputMap().put("type", Output.text(filter.allow() ? "allow" : "deny"));
            putTexts(filterMap, "users", filter.users());
            putTexts(filterMap, "groups", filter.groups());
            map.put("filter", filterMap);
        }
        if (rule.parent() != null) {
            map.put("parent", rule(rule.parent()));
        }
        return map;
    }

    private static Output queue(QueueConfiguration queue) {
        OutputMap map = new OutputMap().put("name", Output.text(queue.name()));
        if (queue.parent() && queue.children().isEmpty()) {
            map.put("parent", Output.flag(true));
        }
        putQuotas(map, queue.guaranteed(), queue.max());
        putCount(map, "maxapplications", queue.maxApplications());
        putProperties(map, queue.properties());
        putText(map, "submitacl", queue.submitAcl());
        putText(map, "adminacl", queue.adminAcl());
        if (!queue.limits().isEmpty()) {
            OutputList limits = new OutputList();
            queue.limits().forEach(limit -> limits.add(limit(limit)));
            map.put("limits", limits);
        }
        if (queue.childTemplate() != null) {
            OutputMap template = new OutputMap();
            putCount(template, "maxapplications", queue.childTemplate().maxApplications());
            putQuotas(
                    template,
                    queue.childTemplate().guaranteed(),
                    queue.childTemplate().max());
            putProperties(template, queue.childTemplate().properties());
            map.put("childtemplate", template);
        }
        if (!queue.children().isEmpty()) {
            OutputList children = new OutputList();
            queue.children().forEach(child -> children.add(queue(child)));
            map.put("queues", children);
        }
        return map;
    }

    private static Output limit(Limit limit) {
        OutputMap map = new OutputMap();
        putText(map, "limit", limit.description());
        putTexts(map, "users", limit.users());
        putTexts(map, "groups", limit.groups());
        if (!limit.maxResources().isEmpty()) {
            map.put("maxresources", AmountsOutput.of(limit.maxResources()));
        }
        putCount(map, "maxapplications", limit.maxApplications());
        return map;
    }

    private static void putQuotas(OutputMap map, Resources guaranteed, Resources max) {
        OutputMap quotas = new OutputMap();
        if (!guaranteed.isEmpty()) {
            quotas.put("guaranteed", AmountsOutput.of(guaranteed));
        }
        if (!max.isEmpty()) {
            quotas.put("max", AmountsOutput.of(max));
        }
        if (!quotas.isEmpty()) {
            map.put("resources", quotas);
        }
    }

    private static void putProperties(OutputMap map, QueueProperties properties) {
        QueueProperties defaults = QueueProperties.DEFAULTS;
        OutputMap to = new OutputMap();
        if (properties.sharePolicy() != defaults.sharePolicy()) {
            to.put(
                    QueuePropertyNames.SHARE_POLICY,
                    Output.text(properties.sharePolicy().wireName()));
        }
        if (properties.load().percent() != null) {
            to.put(
                    QueuePropertyNames.LOAD_PERCENT,
                    Output.number(properties.load().percent()));
        }
        if (properties.load().rebalanceThreshold() != defaults.load().rebalanceThreshold()) {
            to.put(
                    QueuePropertyNames.REBALANCE_THRESHOLD,
                    Output.number(properties.load().rebalanceThreshold()));
        }
        if (!properties.load().rebalanceMinimumDuration().equals(defaults.load().rebalanceMinimumDuration())) {
            to.put(
                    QueuePropertyNames.REBALANCE_DURATION,
                    Output.text(DurationText.format(properties.load().rebalanceMinimumDuration())));
        }
        if (!properties.usage().halftime().equals(defaults.usage().halftime())) {
            to.put(
                    QueuePropertyNames.USAGE_HALFTIME,
                    Output.text(DurationText.format(properties.usage().halftime())));
        }
        if (properties.usage().probabilisticAll()) {
            to.put(QueuePropertyNames.USAGE_PROBABILISTIC, Output.flag(true));
        }
        if (properties.usage().drawsMax() != defaults.usage().drawsMax()) {
            to.put(
                    QueuePropertyNames.USAGE_DRAWS,
                    Output.number(properties.usage().drawsMax()));
        }
        if (properties.usage().factor() != defaults.usage().factor()) {
            to.put(
                    QueuePropertyNames.USAGE_FACTOR,
                    Output.number(properties.usage().factor()));
        }
        if (properties.applicationSortPolicy() != null) {
            to.put(
                    QueuePropertyNames.SORT_POLICY,
                    Output.text(properties.applicationSortPolicy().wireName()));
        }
        if (properties.applicationSortPriority() != null) {
            to.put(
                    QueuePropertyNames.SORT_PRIORITY,
                    Output.text(properties.applicationSortPriority() ? "enabled" : "disabled"));
        }
        if (properties.priorityOffset() != 0) {
            to.put(QueuePropertyNames.PRIORITY_OFFSET, Output.number(properties.priorityOffset()));
        }
        if (properties.priorityFence()) {
            to.put(QueuePropertyNames.PRIORITY_POLICY, Output.text("fence"));
        }
        if (properties.taskTimeout() != null) {
            to.put(QueuePropertyNames.TASK_TIMEOUT, Output.text(DurationText.format(properties.taskTimeout())));
        }
        putCount(to, QueuePropertyNames.ADMISSION_USERS, properties.admission().maxUsers());
        putCount(
                to,
                QueuePropertyNames.ADMISSION_PER_USER,
                properties.admission().maxApplicationsPerUser());
        putPreemption(to, properties.preemption());
        putReservation(to, properties.reservation());
        if (!to.isEmpty()) {
            map.put("properties", to);
        }
    }

    private static void putPreemption(OutputMap to, PreemptionProperties preemption) {
        if (preemption.policy() != PreemptionPolicy.DEFAULT) {
            to.put(
                    QueuePropertyNames.PREEMPTION_POLICY,
                    Output.text(preemption.policy().wireName()));
        }
        if (preemption.delay() != null) {
            to.put(QueuePropertyNames.PREEMPTION_DELAY, Output.text(DurationText.format(preemption.delay())));
        }
        if (preemption.byPriority() != null) {
            to.put(
                    QueuePropertyNames.PREEMPTION_PRIORITY,
                    Output.text(preemption.byPriority() ? "enabled" : "disabled"));
        }
        if (preemption.minimumRuntime() != null) {
            to.put(
                    QueuePropertyNames.PREEMPTION_MINIMUM_RUNTIME,
                    Output.text(DurationText.format(preemption.minimumRuntime())));
        }
        if (!preemption.quotaDelay().isZero()) {
            to.put(
                    QueuePropertyNames.QUOTA_PREEMPTION_DELAY,
                    Output.text(DurationText.format(preemption.quotaDelay())));
        }
    }

    private static void putReservation(OutputMap to, ReservationProperties reservation) {
        if (reservation.delay() != null) {
            to.put(QueuePropertyNames.RESERVATION_DELAY, Output.text(DurationText.format(reservation.delay())));
        }
        if (reservation.max() != null) {
            to.put(QueuePropertyNames.RESERVATIONS_MAX, Output.number(reservation.max()));
        }
        if (reservation.delaysMax() != null) {
            to.put(QueuePropertyNames.RESERVATIONS_DELAYS_MAX, Output.number(reservation.delaysMax()));
        }
    }

    private static void putText(OutputMap map, String key, String text) {
        if (!text.isEmpty()) {
            map.put(key, Output.text(text));
        }
    }

    private static void putTexts(OutputMap map, String key, List<String> texts) {
        if (!texts.isEmpty()) {
            map.put(key, Output.texts(texts));
        }
    }

    private static void putCount(OutputMap map, String key, long count) {
        if (count != 0) {
            map.put(key, Output.number(count));
        }
    }
}
