package dev.sluice.server.yunikorn;

import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PlacementRule;
import dev.sluice.core.configuration.RuleFilter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts placement rules. */
public final class YuniKornPlacementRules {

    /** The rule that holds where none is configured. */
    private static final PlacementRule DEFAULT =
            new PlacementRule(PlacementRule.Kind.PROVIDED, "", false, null, RuleFilter.EVERYBODY);

    private YuniKornPlacementRules() {}

    /** Returns the rules of a partition in the order in which they are tried. */
    public static List<YuniKornPlacementRule> of(PartitionConfiguration partition) {
        List<PlacementRule> rules = partition.placementRules();
        return (rules.isEmpty() ? List.of(DEFAULT) : rules)
                .stream().map(YuniKornPlacementRules::rule).toList();
    }

    private static YuniKornPlacementRule rule(PlacementRule rule) {
        Map<String, String> parameters = new LinkedHashMap<>();
        if (rule.kind() == PlacementRule.Kind.FIXED) {
            parameters.put("queue", rule.value());
        } else if (rule.kind() == PlacementRule.Kind.TAG) {
            parameters.put("tagName", rule.value());
        }
        parameters.put("create", Boolean.toString(rule.create()));
        PlacementRule parent = rule.parent();
        return new YuniKornPlacementRule(
                rule.kind().wireName(), parameters, filter(rule.filter()), parent == null ? null : rule(parent));
    }

    private static YuniKornPlacementRule.@Nullable Filter filter(RuleFilter filter) {
        return filter.users().isEmpty() && filter.groups().isEmpty()
                ? null
                : new YuniKornPlacementRule.Filter(
                        filter.allow() ? "allow" : "deny",
                        list(filter.users()),
                        list(filter.groups()),
                        pattern(filter.users()),
                        pattern(filter.groups()));
    }

    private static boolean isPattern(List<String> names) {
        return names.size() == 1 && RuleFilter.isPattern(names.get(0));
    }

    private static @Nullable List<String> list(List<String> names) {
        return names.isEmpty() || isPattern(names) ? null : names;
    }

    private static @Nullable String pattern(List<String> names) {
        return isPattern(names) ? names.get(0) : null;
    }
}
