package dev.sluice.core.configuration;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who may submit to the queues of a partition, and administer them. A list of a queue holds for all queues below it;
 * who may administer a queue may also submit to it. Without any list in the partition everybody may submit, and nobody
 * administers; as soon as there is one, only those may submit whom a list of the queue or of an ancestor allows.
 */
public final class QueueAccess {

    private record Lists(AccessList submit, AccessList admin) {}

    private final Map<String, Lists> byPath = new LinkedHashMap<>();

    private QueueAccess() {}

    /** Returns the access to the queues of a partition. */
    public static QueueAccess of(PartitionConfiguration partition) {
        QueueAccess access = new QueueAccess();
        access.add("", partition.root());
        return access;
    }

    private void add(String above, QueueConfiguration queue) {
        String path = above + queue.name();
        if (!queue.submitAcl().isEmpty() || !queue.adminAcl().isEmpty()) {
            byPath.put(path, new Lists(AccessList.parse(queue.submitAcl()), AccessList.parse(queue.adminAcl())));
        }
        for (QueueConfiguration child : queue.children()) {
            add(path + ".", child);
        }
    }

    /** Returns whether any queue of the partition has a list. */
    public boolean isRestricted() {
        return !byPath.isEmpty();
    }

    /** Returns whether this user may submit to a queue, which may not exist yet. */
    public boolean maySubmit(String path, String user, List<String> groups) {
        if (!isRestricted()) {
            return true;
        }
        for (String at = path; !at.isEmpty(); at = above(at)) {
            Lists lists = byPath.get(at);
            if (lists != null && (lists.submit.allows(user, groups) || lists.admin.allows(user, groups))) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether this user administers a queue, which may not exist any more. */
    public boolean mayAdminister(String path, String user, List<String> groups) {
        for (String at = path; !at.isEmpty(); at = above(at)) {
            Lists lists = byPath.get(at);
            if (lists != null && lists.admin.allows(user, groups)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the lists that hold for submissions to a queue, from the queue up to the root, as texts. */
    public List<String> rules(String path) {
        List<String> rules = new ArrayList<>();
        for (String at = path; !at.isEmpty(); at = above(at)) {
            Lists lists = byPath.get(at);
            if (lists != null) {
                String names = lists.submit.isEmpty() ? "adminacl" : "submitacl";
                rules.add((lists.submit.isEmpty() || lists.admin.isEmpty() ? names : "submitacl and adminacl") + " of "
                        + at);
            }
        }
        return rules;
    }

    private static String above(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('.')));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof QueueAccess access && byPath.equals(access.byPath);
    }

    @Override
    public int hashCode() {
        return byPath.hashCode();
    }
}
