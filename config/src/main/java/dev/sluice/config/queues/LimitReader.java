package dev.sluice.config.queues;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import dev.sluice.core.configuration.Limit;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Quantity;
import dev.sluice.core.resource.Resources;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads and checks the limits of users and groups, in a queue or a partition. */
final class LimitReader {

    /** The syntax of user names. */
    static final Pattern USER = Pattern.compile("[_a-zA-Z][a-zA-Z0-9:#/_.@-]*\\$?");

    /** The syntax of group names. */
    static final Pattern GROUP = Pattern.compile("[_a-zA-Z][a-zA-Z0-9:_.-]*");

    private LimitReader() {}

    /**
     * A limit with its position in the file.
     *
     * @param limitsSomething whether its amounts are a limit, so that they can be compared with others
     */
    record LimitDraft(Limit limit, Section section, boolean limitsSomething) {

        Field position(String key) {
            Field field = section.find(key);
            return field == null ? section.self() : field;
        }
    }

    /**
     * Reads the limits of a partition and adds them to its root queue, of which they are the limits, too. As in
     * YuniKorn, they must be equal if both are given.
     */
    static void readOfPartition(@Nullable Field list, QueueDraft root) {
        List<LimitDraft> limits = read(list, root);
        if (root.limits().isEmpty()) {
            root.limits().addAll(limits);
        } else if (list != null && !limits.isEmpty() && !bounds(limits).equals(bounds(root.limits()))) {
            list.problem("the limits of the partition differ from those of its root queue, which apply to the same:"
                    + " remove one of the two lists");
        }
    }

    private static List<Limit> bounds(List<LimitDraft> drafts) {
        return drafts.stream()
                .map(LimitDraft::limit)
                .map(limit ->
                        new Limit("", limit.users(), limit.groups(), limit.maxResources(), limit.maxApplications()))
                .toList();
    }

    /** Reads the limits of a queue; empty if there is no list. */
    static List<LimitDraft> read(@Nullable Field list, QueueDraft queue) {
        List<LimitDraft> limits = new ArrayList<>();
        if (list != null) {
            LimitNames users = new LimitNames("user", USER);
            LimitNames groups = new LimitNames("group", GROUP);
            for (Field field : list.asList("limits")) {
                Section section = field.asSection("a limit", QueueKeys.LIMIT);
                if (section != null) {
                    limits.add(limit(section, users, groups, queue));
                }
            }
        }
        return limits;
    }

    private static LimitDraft limit(Section section, LimitNames users, LimitNames groups, QueueDraft queue) {
        int before = users.problems + groups.problems;
        Limit limit = new Limit(
                section.read("limit", "", Field::asText),
                users.read(section.get("users")),
                groups.read(section.get("groups")),
                section.read("maxresources", Resources.NONE, Field::asResources),
                section.read("maxapplications", 0L, field -> field.asLong(0, Long.MAX_VALUE)));
        LimitDraft draft = new LimitDraft(limit, section, checkNotEmpty(limit, section));
        if (limit.users().isEmpty() && limit.groups().isEmpty() && before == users.problems + groups.problems) {
            section.self().problem("a limit needs users or groups: add users: or groups: with a list of names");
        }
        if (groups.seen.size() == 1 && groups.seen.contains(Limit.ALL)) {
            draft.position("groups")
                    .problem("a limit for all groups (*) needs an earlier limit of a named group: alone it"
                            + " is the same as the max of the queue");
        }
        checkAgainstQueue(draft, queue);
        return draft;
    }

    private static boolean checkNotEmpty(Limit limit, Section section) {
        Field resources = section.get("maxresources");
        Field applications = section.get("maxapplications");
        boolean amounts = resources != null
                && !(resources.isMap() && resources.asMap("amounts").isEmpty());
        if (resources != null
                && !limit.maxResources().isEmpty()
                && limit.maxResources().isZero()) {
            resources.problem("a limit must be greater than 0");
            return false;
        }
        if (limit.maxApplications() == 0 && !amounts && (applications == null || isZero(applications))) {
            section.self().problem("a limit needs maxresources or a maxapplications greater than 0");
            return false;
        }
        return true;
    }

    private static boolean isZero(Field field) {
        return !field.isList() && !field.isMap() && "0".equals(field.asText());
    }

    private static void checkAgainstQueue(LimitDraft draft, QueueDraft queue) {
        Limit limit = draft.limit();
        if (queue.maxApplications() != 0 && limit.maxApplications() > queue.maxApplications()) {
            draft.position("maxapplications")
                    .problem("the limit of " + limit.maxApplications() + " applications is greater than that of "
                            + queue.path() + ", " + queue.maxApplications());
        }
        if (!queue.isRoot()) {
            limit.maxResources().amounts().forEach((type, amount) -> {
                if (amount.compareTo(queue.max().limit(type)) > 0) {
                    amountPosition(draft, type)
                            .problem("the limit of " + shown(type, amount) + " is greater than the max of "
                                    + queue.path() + ", "
                                    + Quantity.format(type, queue.max().limit(type)));
                }
            });
        }
    }

    private static Field amountPosition(LimitDraft draft, String type) {
        return draft.position("maxresources").typePosition(type);
    }

    private static String shown(String type, Amount amount) {
        return type + " " + Quantity.format(type, amount);
    }

    /** The names in the order of the file: no duplicates, and no name after {@code *}. */
    private static final class LimitNames {

        private final String what;
        private final Pattern form;
        private final Set<String> seen = new HashSet<>();
        private int problems;

        LimitNames(String what, Pattern form) {
            this.what = what;
            this.form = form;
        }

        List<String> read(@Nullable Field list) {
            if (list != null && !list.isList()) {
                problems++;
            }
            return list == null ? List.of() : list.asTexts(what + "s", this::name);
        }

        private @Nullable String name(Field field) {
            String name = field.asText();
            String problem = name == null ? "" : problem(name);
            if (problem == null) {
                seen.add(String.valueOf(name));
                return name;
            }
            problems++;
            if (!problem.isEmpty()) {
                field.problem(problem);
            }
            return null;
        }

        private @Nullable String problem(String name) {
            if (!name.equals(Limit.ALL) && !form.matcher(name).matches()) {
                return Field.quoted(name) + " is not the name of a " + what
                        + ": it must start with a letter or _, followed by letters, digits and "
                        + (what.equals("user") ? ": # / _ . @ -" : ": _ . -");
            }
            if (seen.contains(name)) {
                return "the " + what + " " + Field.quoted(name) + " already has a limit in this list";
            }
            if (seen.contains(Limit.ALL)) {
                return "the " + what + " " + Field.quoted(name) + " comes after *, which means all: move * to the end";
            }
            return null;
        }
    }

    /**
     * Checks that no limit is greater than that of the same user or group in an ancestor. As in YuniKorn, a queue
     * without limits inherits those of its parent, and a queue with limits inherits none.
     */
    static void checkTree(QueueDraft root) {
        check(root, Map.of(), Limit::users, "user");
        check(root, Map.of(), Limit::groups, "group");
    }

    private static void check(
            QueueDraft queue, Map<String, LimitBound> above, Function<Limit, List<String>> names, String what) {
        Map<String, LimitBound> here = above;
        if (!queue.limits().isEmpty()) {
            here = new LinkedHashMap<>();
            for (LimitDraft draft : queue.limits()) {
                for (String name : names.apply(draft.limit())) {
                    LimitBound bound = above.get(name);
                    if (bound != null && draft.limitsSomething()) {
                        bound.check(draft, what + " " + name);
                    }
                    here.put(
                            name,
                            bound == null ? LimitBound.of(draft.limit(), queue.path()) : bound.within(draft.limit()));
                }
            }
        }
        for (QueueDraft child : queue.children()) {
            check(child, here, names, what);
        }
    }

    /** The limit of a user or group in the ancestors, and the first ancestor that has it. */
    private record LimitBound(Resources resources, long applications, String path) {

        static LimitBound of(Limit limit, String path) {
            return new LimitBound(limit.maxResources(), limit.maxApplications(), path);
        }

        LimitBound within(Limit limit) {
            return new LimitBound(
                    QuotaCheck.least(limit.maxResources(), resources),
                    Math.min(limit.maxApplications(), applications),
                    path);
        }

        void check(LimitDraft draft, String who) {
            draft.limit().maxResources().amounts().forEach((type, amount) -> {
                if (amount.compareTo(resources.limit(type)) > 0) {
                    amountPosition(draft, type)
                            .problem("the limit of " + who + ", " + shown(type, amount) + ", is greater than that in "
                                    + path + ", " + Quantity.format(type, resources.limit(type)));
                }
            });
            long wanted = draft.limit().maxApplications();
            if (applications != 0 && (wanted > applications || wanted == 0)) {
                draft.position("maxapplications")
                        .problem("the limit of " + who + " is " + applications + " applications in " + path
                                + ", so maxapplications must be from 1 to " + applications);
            }
        }
    }
}
