package dev.sluice.config.queues;

import static dev.sluice.config.field.KeyType.COUNT;
import static dev.sluice.config.field.KeyType.FLAG;
import static dev.sluice.config.field.KeyType.NUMBER;
import static dev.sluice.config.field.KeyType.RESOURCES;
import static dev.sluice.config.field.KeyType.TEXT;
import static dev.sluice.config.field.KeyType.list;
import static dev.sluice.config.field.KeyType.map;
import static dev.sluice.config.field.KeyType.section;
import static dev.sluice.config.field.KeyType.sections;
import static dev.sluice.config.field.KeyType.words;
import static dev.sluice.config.field.KeyType.wordsIgnoringCase;
import static dev.sluice.config.field.ReferencePage.QUEUES;

import dev.sluice.config.field.Key;
import dev.sluice.config.field.KeyType;
import dev.sluice.config.field.Keys;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.configuration.PlacementRule;
import java.util.Arrays;
import java.util.List;

/** The keys of a queue configuration, with their documentation. */
final class QueueKeys {

    private static final String NO_EFFECT = " A key of YuniKorn without effect in Sluice.";

    static final Keys LIMIT = Keys.of(
            "limit",
            QUEUES,
            Key.of("limit", TEXT, "A description for people.").eg("developers"),
            Key.of(
                            "users",
                            list(TEXT),
                            "The users it applies to, each by itself; `*` means each user who is not named, and comes last.")
                    .eg("[alice, bob]"),
            Key.of(
                            "groups",
                            list(TEXT),
                            "The groups it applies to; `*` means all groups that are not named, which share the limit, and comes"
                                    + " last.")
                    .eg("[dev]"),
            Key.of(
                            "maxresources",
                            RESOURCES,
                            "Maximum resources of each of these users or groups, in this queue and below it; types that"
                                    + " are not listed are not limited. One of `maxresources` and `maxapplications` is"
                                    + " needed.")
                    .eg("{vcore: 8}"),
            Key.of(
                            "maxapplications",
                            COUNT,
                            "Maximum number of running applications of each of these users or groups; 0 means no limit."
                                    + " Further applications wait.")
                    .or("0")
                    .eg("10"));

    static final Keys RESOURCE_QUOTAS = Keys.of(
            "resource quotas",
            QUEUES,
            Key.of(
                            "guaranteed",
                            RESOURCES,
                            "Resources that a `fair` parent gives this queue first, for which it preempts tasks of others,"
                                    + " and below which its own tasks are not preempted. At most `max`, and the children's"
                                    + " sum at most the parent's.")
                    .eg("{vcore: 8}"),
            Key.of("max", RESOURCES, "Maximum resources that tasks in this queue and below may have allocated.")
                    .or("no limit")
                    .eg("{vcore: 16, memory: 64Gi}"));

    static final Keys CHILD_TEMPLATE = Keys.of(
            "child template",
            QUEUES,
            Key.of("maxapplications", COUNT, "As for a queue.").or("0").eg("5"),
            Key.of("properties", section(() -> QueuePropertyNames.KEYS), "As for a leaf queue.")
                    .eg("{application.sort.policy: fifo}"),
            Key.of("resources", section(RESOURCE_QUOTAS), "As for a queue.").eg("{max: {vcore: 4}}"));

    static final Keys QUEUE = Keys.of(
            "queue",
            QUEUES,
            Key.of(
                            "name",
                            new KeyType.Text(false, 1, 64),
                            "Letters, digits and `- _ : # / @`, at most 64. Upper and lower case are the same; siblings"
                                    + " have different names.")
                    .isRequired()
                    .eg("sandbox"),
            Key.of(
                            "parent",
                            FLAG,
                            "Whether the queue holds queues instead of applications, even if none is configured below"
                                    + " it. A queue with `queues` is a parent in any case.")
                    .or("false")
                    .eg("true"),
            Key.of(
                            "resources",
                            section(RESOURCE_QUOTAS),
                            "What the queue is guaranteed and its maximum; not for the root queue.")
                    .eg("{max: {vcore: 16}}"),
            Key.of(
                            "maxapplications",
                            COUNT,
                            "Maximum number of applications that run at a time in this queue and below; 0 means no limit."
                                    + " A queue below one with a limit needs one that is not larger.")
                    .or("0")
                    .eg("20"),
            Key.of("properties", section(() -> QueuePropertyNames.KEYS), "Policies and other settings.")
                    .eg("{queue.share.policy: load}"),
            Key.of(
                            "adminacl",
                            TEXT,
                            "Who may see the logs of all applications in the queue and below it, change and cancel them,"
                                    + " and submit to it. Syntax as in `submitacl`.")
                    .eg("\"alice,bob dev\""),
            Key.of(
                            "submitacl",
                            TEXT,
                            "Who may submit to the queue and all queues below it: users, a space, groups, with commas"
                                    + " between names. A leading space means groups only, `*` everybody, an empty text"
                                    + " nobody. As soon as a queue of the partition has a list, those that no list"
                                    + " allows may not submit.")
                    .eg("\"*\""),
            Key.of(
                            "childtemplate",
                            section(CHILD_TEMPLATE),
                            "Settings of leaf queues that placement rules create below this queue.")
                    .eg("{maxapplications: 5}"),
            Key.of("queues", sections(() -> QueueKeys.QUEUE), "The child queues.")
                    .eg("[{name: a}, {name: b}]"),
            Key.of("limits", sections(LIMIT), "Limits of users and groups in this queue and below it.")
                    .eg("[{users: [alice], maxapplications: 5}]"));

    static final Keys FILTER = Keys.of(
            "filter",
            QUEUES,
            Key.of(
                            "type",
                            wordsIgnoringCase(List.of("allow", "deny")),
                            "Whether the rule applies only to these users and groups, or to all others.")
                    .or("allow")
                    .eg("deny"),
            Key.of("users", list(TEXT), "User names, or a single regular expression.")
                    .eg("[alice, bob]"),
            Key.of("groups", list(TEXT), "Group names, or a single regular expression.")
                    .eg("[\"dev.*\"]"));

    static final Keys PLACEMENT_RULE = Keys.of(
            "placement rule",
            QUEUES,
            Key.of(
                            "name",
                            wordsIgnoringCase(Arrays.stream(PlacementRule.Kind.values())
                                    .map(PlacementRule.Kind::wireName)
                                    .toList()),
                            "Where the name of the queue comes from: `provided` (the submission), `user` (the user's"
                                    + " name), `fixed` (`value`) or `tag` (the application's tag that `value` names).")
                    .isRequired()
                    .eg("user"),
            Key.of("create", FLAG, "Whether the queue is created if it does not exist.")
                    .or("false")
                    .eg("true"),
            Key.of("filter", section(FILTER), "The users and groups that the rule applies to.")
                    .or("all users")
                    .eg("{type: allow, groups: [dev]}"),
            Key.of("parent", section(() -> QueueKeys.PLACEMENT_RULE), "The rule that yields the parent of the queue.")
                    .or("the root queue")
                    .eg("{name: fixed, value: users}"),
            Key.of(
                            "value",
                            TEXT,
                            "The path of a queue for `fixed`, the name of a tag for `tag`; no other rule has one.")
                    .eg("root.sandbox"));

    static final Keys NODE_SORT_POLICY = Keys.of(
            "node sort policy",
            QUEUES,
            Key.of(
                            "type",
                            words(Arrays.stream(NodeSortPolicy.values())
                                    .map(NodeSortPolicy::wireName)
                                    .toList()),
                            "`fair` spreads tasks over the least utilised nodes, `binpacking` fills the most utilised"
                                    + " nodes first.")
                    .or("fair")
                    .eg("binpacking"),
            Key.of(
                            "resourceweights",
                            map("resource types", NUMBER),
                            "The weight of each resource type in a node's utilisation, 0 or more; types not listed weigh"
                                    + " 0.")
                    .or("{memory: 1, vcore: 1}")
                    .eg("{vcore: 4, memory: 1}"));

    static final Keys PREEMPTION = Keys.of(
            "preemption",
            QUEUES,
            Key.of(
                            "enabled",
                            FLAG,
                            "Whether tasks are preempted for guaranteed resources and priorities. Load classes rebalance"
                                    + " regardless.")
                    .or("true")
                    .eg("false"),
            Key.of(
                            QuotaPreemptionCheck.SWITCH,
                            FLAG,
                            "Whether tasks of queues that use more than their maximum, because it was lowered, are preempted"
                                    + " after `quota.preemption.delay`.")
                    .or("false")
                    .eg("true"));

    static final Keys PARTITION = Keys.of(
            "partition",
            QUEUES,
            Key.of("name", TEXT, "The name of the partition; names differ in more than upper and lower case.")
                    .or("default")
                    .eg("gpu"),
            Key.of(
                            "queues",
                            sections(QUEUE),
                            "The queues: a single queue `root`, or the children of a root queue that is not written.")
                    .isRequired()
                    .eg("[{name: root}]"),
            Key.of(
                            "placementrules",
                            sections(PLACEMENT_RULE),
                            "How an application finds its queue: the first rule that yields a queue is used.")
                    .or("the queue named at submission")
                    .eg("[{name: user, create: true}]"),
            Key.of("nodesortpolicy", section(NODE_SORT_POLICY), "The order in which nodes are tried.")
                    .or("{type: fair}")
                    .eg("{type: binpacking}"),
            Key.of(
                            "limits",
                            sections(LIMIT),
                            "Limits of users and groups in the whole partition: the same as `limits` of the root queue.")
                    .eg("[{users: [\"*\"], maxapplications: 9}]"),
            Key.of("preemption", section(PREEMPTION), "Whether preemption is on.")
                    .eg("{enabled: false}"),
            Key.of(
                            "topology",
                            list(TEXT),
                            "The labels of nodes that name topology domains, from the widest domain to the narrowest. A gang"
                                    + " may require that all its members are in one domain.")
                    .eg("[zone, rack]"),
            Key.of("statedumpfilepath", TEXT, "A path." + NO_EFFECT));

    static final Keys QUEUE_CONFIGURATION = Keys.of(
            "queue configuration",
            QUEUES,
            Key.of("partitions", sections(PARTITION), "The partitions; at least one.")
                    .isRequired()
                    .eg("[{name: default, queues: […]}]"),
            Key.of("checksum", TEXT, "A checksum." + NO_EFFECT));

    private QueueKeys() {}
}
