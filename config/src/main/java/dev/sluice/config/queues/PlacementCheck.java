package dev.sluice.config.queues;

import dev.sluice.config.field.Field;
import dev.sluice.core.configuration.PlacementRule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Checks that the fixed part of a placement rule yields a queue that exists or can be created.
 *
 * <p>The fixed part is the path that the rule and its parent rules yield before the first rule that depends on the
 * application: {@code root.users} for a rule {@code user} whose parent is a rule {@code fixed} with the value
 * {@code users}.
 */
final class PlacementCheck {

    private PlacementCheck() {}

    /** Returns whether a path starts at the root. */
    static boolean isQualified(String path) {
        return path.equals(QueueDraft.ROOT) || path.startsWith(QueueDraft.ROOT + ".");
    }

    static void check(PlacementRule rule, Field where, QueueDraft root) {
        Deque<PlacementRule> chain = new ArrayDeque<>();
        for (PlacementRule each = rule; each != null; each = each.parent()) {
            chain.push(each);
        }
        List<String> path = new ArrayList<>(List.of(QueueDraft.ROOT));
        boolean dynamic = false;
        boolean fixed = false;
        for (PlacementRule each : chain) {
            if (each.kind() != PlacementRule.Kind.FIXED) {
                dynamic = true;
                break;
            }
            String value = isQualified(each.value())
                    ? each.value().substring(Math.min(each.value().length(), QueueDraft.ROOT.length() + 1))
                    : each.value();
            if (!value.isEmpty()) {
                path.addAll(List.of(value.split("\\.")));
            }
            fixed = true;
        }
        if (fixed) {
            walk(path, dynamic, rule.create(), where, root);
        }
    }

    private static void walk(List<String> path, boolean dynamic, boolean create, Field where, QueueDraft root) {
        QueueDraft queue = root;
        String whole = String.join(".", path);
        for (String name : path.subList(1, path.size())) {
            QueueDraft child = queue.child(name);
            if (child == null) {
                if (!queue.isParent()) {
                    where.problem("this rule yields " + whole + ", but no queue can be created below the leaf "
                            + queue.path());
                } else if (!create) {
                    where.problem(
                            "this rule yields " + whole + ", which does not exist: add create: true, or add the queue");
                }
                return;
            }
            queue = child;
        }
        if (dynamic && !queue.isParent()) {
            where.problem("this rule yields queues below " + whole + ", which is a leaf: add parent: true to it");
        } else if (!dynamic && queue.parentFlag()) {
            where.problem("this rule yields " + whole + ", which is not a leaf: use a queue below it");
        } else if (!dynamic && queue.isParent()) {
            where.warning("this rule yields " + whole + ", which is not a leaf: no application can be placed there");
        }
    }
}
