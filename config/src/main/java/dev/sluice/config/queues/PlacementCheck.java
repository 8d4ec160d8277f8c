package dev.sluice.config.queues;

import dev.sluice.config.field.Field;
import dev.sluice.core.configuration.PlacementRule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Checks that the fixed part of a placement rule leads to a queue that is there, or that may be made.
 *
 * <p>The fixed part is what the rule and its parent rules say before the first one that depends on the application:
 * {@code root.users} for a rule {@code user} below a rule {@code fixed} of the value {@code users}.
 */
final class PlacementCheck {

    private PlacementCheck() {}

    /** Whether a path begins at the root. */
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
                    where.problem("this rule leads to " + whole + ", but no queue can be made below the leaf "
                            + queue.path());
                } else if (!create) {
                    where.problem("this rule leads to " + whole
                            + ", which does not exist: write create: true, or add the queue");
                }
                return;
            }
            queue = child;
        }
        if (dynamic && !queue.isParent()) {
            where.problem("this rule leads to queues below " + whole + ", which is a leaf: write parent: true there");
        } else if (!dynamic && queue.parentFlag()) {
            where.problem("this rule leads to " + whole + ", which is not a leaf: name one of the queues below it");
        } else if (!dynamic && queue.isParent()) {
            where.warning("this rule leads to " + whole + ", which is not a leaf: it places nothing");
        }
    }
}
