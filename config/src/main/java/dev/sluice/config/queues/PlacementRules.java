package dev.sluice.config.queues;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import dev.sluice.core.configuration.PlacementRule;
import dev.sluice.core.configuration.RuleFilter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Reads the placement rules of a partition. */
final class PlacementRules {

    private static final Pattern SPECIAL = Pattern.compile("[\\\\^$*+?()\\[{}|]");
    private static final Map<String, PlacementRule.Kind> KINDS = kinds();

    private PlacementRules() {}

    private static Map<String, PlacementRule.Kind> kinds() {
        Map<String, PlacementRule.Kind> kinds = new LinkedHashMap<>();
        for (PlacementRule.Kind kind : PlacementRule.Kind.values()) {
            kinds.put(kind.wireName(), kind);
        }
        return kinds;
    }

    /**
     * Reads the rules of this list and checks them against the queues, if they could be read; empty if there is no
     * list.
     */
    static List<PlacementRule> read(@Nullable Field list, @Nullable QueueDraft root) {
        List<PlacementRule> rules = new ArrayList<>();
        if (list != null) {
            for (Field field : list.asList("placement rules")) {
                PlacementRule rule = rule(field);
                if (rule != null) {
                    rules.add(rule);
                    if (root != null) {
                        PlacementCheck.check(rule, field, root);
                    }
                }
            }
        }
        return rules;
    }

    /** Reads a rule; null after a problem. */
    private static @Nullable PlacementRule rule(Field field) {
        Section section = field.asSection("a placement rule", QueueKeys.PLACEMENT_RULE);
        if (section == null) {
            return null;
        }
        boolean create = section.read("create", false, Field::asBoolean);
        RuleFilter filter = section.read("filter", RuleFilter.EVERYBODY, PlacementRules::filter);
        String value = section.read("value", "", Field::asText).toLowerCase(Locale.ROOT);
        Field parentField = section.get("parent");
        PlacementRule parent = parentField == null ? null : rule(parentField);
        PlacementRule.Kind kind = kind(section);
        if (kind == null || (parentField != null && parent == null)) {
            return null;
        }
        boolean usesValue = kind == PlacementRule.Kind.FIXED || kind == PlacementRule.Kind.TAG;
        Field valueField = section.get("value");
        if (!usesValue && valueField != null) {
            valueField.warning("value has no effect: the rule " + kind.wireName() + " has no value");
        }
        if (!checkValue(kind, value, parent != null, section)) {
            return null;
        }
        return new PlacementRule(kind, usesValue ? value : "", create, parent, filter);
    }

    private static PlacementRule.@Nullable Kind kind(Section section) {
        Field name = section.get("name");
        String wireName = name == null || name.isList() || name.isMap() ? "" : String.valueOf(name.asText());
        Field found = section.find("name");
        Field where = found == null ? section.self() : found;
        if (wireName.isEmpty()) {
            where.problem("a placement rule needs a name: provided, user, fixed or tag");
            return null;
        }
        PlacementRule.Kind kind = KINDS.get(wireName.toLowerCase(Locale.ROOT));
        if (kind == null) {
            where.unknown("placement rule", wireName, KINDS.keySet());
        }
        return kind;
    }

    private static boolean checkValue(PlacementRule.Kind kind, String value, boolean hasParent, Section section) {
        Field found = section.find("value");
        Field where = found == null ? section.self() : found;
        if (kind == PlacementRule.Kind.TAG && value.isEmpty()) {
            where.problem("the rule tag needs a value: the name of a tag");
            return false;
        }
        if (kind != PlacementRule.Kind.FIXED) {
            return true;
        }
        if (value.isEmpty()) {
            where.problem("the rule fixed needs a value: the path of a queue, such as root.sandbox");
            return false;
        }
        for (String part : value.split("\\.", -1)) {
            if (!QueueReader.NAME.matcher(part).matches()) {
                where.problem(Field.quoted(value)
                        + " is not the path of a queue: its parts must consist of letters, digits and"
                        + " - _ : # / @, separated by dots");
                return false;
            }
        }
        if (PlacementCheck.isQualified(value) && hasParent) {
            where.problem("a fixed rule with a full path (root.…) cannot have a parent rule: remove root. or parent");
            return false;
        }
        return true;
    }

    private static @Nullable RuleFilter filter(Field field) {
        Section section = field.asSection("a filter", QueueKeys.FILTER);
        if (section == null) {
            return null;
        }
        Field typeField = section.get("type");
        String type = typeField == null ? "" : typeField.asText();
        if (typeField != null
                && type != null
                && !type.isEmpty()
                && !type.equalsIgnoreCase("allow")
                && !type.equalsIgnoreCase("deny")) {
            typeField.unknown("filter type", type, List.of("allow", "deny"));
        }
        return new RuleFilter(
                !"deny".equalsIgnoreCase(type),
                names(section.get("users"), "user", LimitReader.USER),
                names(section.get("groups"), "group", LimitReader.GROUP));
    }

    private static List<String> names(@Nullable Field list, String what, Pattern form) {
        if (list == null) {
            return List.of();
        }
        List<String> names = list.asTexts(what + "s", Field::asText);
        List<Field> fields = list.asList(what + "s");
        if (fields.size() == 1 && names.size() == 1) {
            if (!form.matcher(names.get(0)).matches()) {
                checkExpression(fields.get(0), names.get(0), what);
            }
            return names;
        }
        for (Field field : fields) {
            String name = field.isList() || field.isMap() ? null : field.asText();
            if (name != null && !form.matcher(name).matches()) {
                field.warning(Field.quoted(name) + " is not the name of a " + what + " and matches nothing"
                        + (SPECIAL.matcher(name).find()
                                ? ": a regular expression must be the only item of its list"
                                : ""));
            }
        }
        return names;
    }

    /** Checks a single entry that is not a name: it must be a regular expression. */
    private static void checkExpression(Field field, String text, String what) {
        if (!SPECIAL.matcher(text).find()) {
            field.problem(Field.quoted(text) + " is neither the name of a " + what + " nor a regular expression");
            return;
        }
        try {
            Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            field.problem(Field.quoted(text) + " is not a regular expression: " + e.getDescription());
        } catch (StackOverflowError e) {
            field.problem("this regular expression is nested too deeply");
        }
    }
}
