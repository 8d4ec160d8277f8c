package dev.sluice.simulator.workload.synthetic;

import static dev.sluice.config.field.KeyType.DURATION;
import static dev.sluice.config.field.KeyType.INSTANT;
import static dev.sluice.config.field.KeyType.NAME;
import static dev.sluice.config.field.KeyType.NUMBER;
import static dev.sluice.config.field.KeyType.SEED;
import static dev.sluice.config.field.KeyType.STRICT_TEXT;
import static dev.sluice.config.field.KeyType.TEXT;
import static dev.sluice.config.field.KeyType.anyOf;
import static dev.sluice.config.field.KeyType.list;
import static dev.sluice.config.field.KeyType.map;
import static dev.sluice.config.field.KeyType.section;
import static dev.sluice.config.field.KeyType.sections;
import static dev.sluice.config.field.KeyType.whole;
import static dev.sluice.config.field.ReferencePage.WORKLOAD;

import dev.sluice.config.field.Key;
import dev.sluice.config.field.KeyType;
import dev.sluice.config.field.Keys;
import dev.sluice.config.queues.PartitionsReader;
import dev.sluice.config.snapshot.NodeListReader;

/** The keys of synthetic workloads, with their documentation. */
final class SyntheticKeys {

    private static final Key MIN = Key.of("min", TEXT, "Smaller values count as this one.")
            .or("1 millisecond, 1 base unit or 1")
            .eg("10s");
    private static final Key MAX = Key.of("max", TEXT, "Larger values count as this one; required for resources.")
            .or("30d for durations, 10000 for counts, 1000000 for priorities")
            .eg("8h");

    static final Keys RANGE = Keys.of(
            "range",
            WORKLOAD,
            Key.of("from", TEXT, "The minimum.").isRequired().eg("1m"),
            Key.of("to", TEXT, "The maximum.").isRequired().eg("9m"));

    static final Keys EXPONENTIAL = Keys.of(
            "exponential",
            WORKLOAD,
            Key.of("mean", TEXT, "The mean.").isRequired().eg("5m"),
            MIN,
            MAX);

    static final Keys LOGNORMAL = Keys.of(
            "lognormal",
            WORKLOAD,
            Key.of("median", TEXT, "The median. Either this or `mean` is needed.")
                    .eg("2m"),
            Key.of("mean", TEXT, "The mean.").eg("4m"),
            Key.of("sigma", NUMBER, "The standard deviation of the logarithm; more than 0, at most 100.")
                    .isRequired()
                    .eg("1.2"),
            MIN,
            MAX);

    static final Keys PARETO = Keys.of(
            "pareto",
            WORKLOAD,
            Key.of("from", TEXT, "The minimum.").isRequired().eg("1m"),
            Key.of("alpha", NUMBER, "The shape; more than 0, at most 100. A larger one makes large values rarer.")
                    .isRequired()
                    .eg("1.5"),
            MAX);

    static final Keys CHOICE = Keys.of(
            "choice",
            WORKLOAD,
            Key.of("value", TEXT, "The value.").isRequired().eg("8"),
            Key.of("weight", NUMBER, "How likely the value is in proportion to the others.")
                    .or("1")
                    .eg("3"));

    static final Keys DISTRIBUTIONS = Keys.of(
            "distribution",
            WORKLOAD,
            Key.of("uniform", section(RANGE), "Each whole value from `from` to `to` is equally likely.")
                    .eg("{from: 1m, to: 9m}"),
            Key.of("exponential", section(EXPONENTIAL), "An exponential distribution.")
                    .eg("{mean: 5m}"),
            Key.of("lognormal", section(LOGNORMAL), "A log-normal distribution.")
                    .eg("{median: 2m, sigma: 1.2}"),
            Key.of("pareto", section(PARETO), "A Pareto distribution.").eg("{from: 1m, alpha: 1.5}"),
            Key.of("powersoftwo", section(RANGE), "`from` times a power of two, at most `to`; each is equally likely.")
                    .eg("{from: 1, to: 64}"),
            Key.of("choice", list(anyOf(TEXT, section(CHOICE))), "One of these values, in proportion to its weight.")
                    .eg("[1, {value: 8, weight: 3}]"));

    private static final KeyType DISTRIBUTION = anyOf(TEXT, section(DISTRIBUTIONS));

    static final Keys DAILY_CYCLE = Keys.of(
            "daily cycle",
            WORKLOAD,
            Key.of("peak", DURATION, "The time of the day, in UTC, with the most arrivals; less than 24h.")
                    .or("14h")
                    .eg("10h"),
            Key.of(
                            "ratio",
                            NUMBER,
                            "How many times more arrivals there are at the peak than twelve hours later; 1 to 1000.")
                    .isRequired()
                    .eg("10"));

    static final Keys ARRIVALS = Keys.of(
            "arrivals",
            WORKLOAD,
            Key.of("every", DURATION, "The mean time between arrivals. Either this or `perhour` is needed.")
                    .eg("150s"),
            Key.of("perhour", NUMBER, "The mean number of arrivals per hour; more than 0.")
                    .eg("24"),
            Key.of("daily", section(DAILY_CYCLE), "How arrivals vary over the day.")
                    .or("evenly")
                    .eg("{peak: 14h, ratio: 10}"),
            Key.of("burst", DISTRIBUTION, "The number of applications that arrive at once, of one kind and user.")
                    .or("1")
                    .eg("{uniform: {from: 1, to: 5}}"));

    static final Keys USER = Keys.of(
            "user",
            WORKLOAD,
            Key.of("name", NAME, "The name; with `count`, the common part: `dev-0`, `dev-1` and so on.")
                    .isRequired()
                    .eg("dev"),
            Key.of("count", whole(1, UserEntry.COUNT_MAX), "The number of users.")
                    .or("one user with just this name")
                    .eg("40"),
            Key.of("weight", NUMBER, "How often these users together submit in proportion to other entries; 0 to 1e9.")
                    .or("1")
                    .eg("7"),
            Key.of(
                            "zipf",
                            NUMBER,
                            "How unequal users of one entry are: the user with number i, from 1, submits in proportion to"
                                    + " 1 ÷ i^zipf. 0 to 10; needs `count`.")
                    .or("0")
                    .eg("1.1"),
            Key.of("groups", list(NAME), "The groups of the users.").eg("[data]"),
            Key.of("queue", TEXT, "The path of the queue their applications are submitted to.")
                    .or("as placement rules say")
                    .eg("root.web"),
            Key.of("tags", map("names", STRICT_TEXT), "Tags that placement rules may use.")
                    .eg("{team: web}"));

    static final Keys KIND = Keys.of(
            "kind",
            WORKLOAD,
            Key.of("name", NAME, "The name of its applications; their ids are `name-0`, `name-1` and so on.")
                    .isRequired()
                    .eg("build"),
            Key.of("weight", NUMBER, "How often this kind arrives in proportion to other kinds; 0 to 1e9.")
                    .or("1")
                    .eg("9"),
            Key.of("users", list(NAME), "The entries of `users` who submit this kind.")
                    .or("all users")
                    .eg("[ada, dev]"),
            Key.of("tasks", DISTRIBUTION, "The number of tasks of an application.")
                    .or("1")
                    .eg("{powersoftwo: {from: 1, to: 8}}"),
            Key.of("resources", map("resource types", DISTRIBUTION), "What each task takes.")
                    .or("1 core where nodes have cores, else nothing")
                    .eg("{vcore: 2, memory: {choice: [4Gi, 8Gi]}}"),
            Key.of("duration", DISTRIBUTION, "How long each task of an application runs.")
                    .isRequired()
                    .eg("{lognormal: {median: 6m, sigma: 0.8}}"),
            Key.of("priority", DISTRIBUTION, "The priority of the tasks.")
                    .or("0")
                    .eg("10"),
            Key.of("daily", section(DAILY_CYCLE), "How arrivals of this kind vary over the day.")
                    .or("`daily` of `arrivals`")
                    .eg("{peak: 2h, ratio: 50}"),
            Key.of("burst", DISTRIBUTION, "The number of applications of this kind that arrive at once.")
                    .or("`burst` of `arrivals`")
                    .eg("2"),
            Key.of("partition", NAME, "The partition its applications are submitted to.")
                    .or("default")
                    .eg("gpu"));

    static final Keys SYNTHETIC = Keys.of(
            "synthetic",
            WORKLOAD,
            Key.of("seed", SEED, "The random seed: another seed yields another workload of the same kind.")
                    .or("0")
                    .eg("1"),
            Key.of("begin", INSTANT, "When the workload begins.")
                    .or("1970-01-01T00:00:00Z")
                    .eg("2026-01-05T00:00:00Z"),
            Key.of("for", DURATION, "How long applications arrive; more than 0. This or `applications` is needed.")
                    .or("no limit")
                    .eg("24h"),
            Key.of("applications", whole(1, SyntheticSpec.APPLICATIONS_MAX), "Maximum number of applications.")
                    .or("no limit")
                    .eg("500"),
            Key.of("arrivals", section(ARRIVALS), "How often applications arrive.")
                    .isRequired()
                    .eg("{every: 150s}"),
            Key.of("users", sections(USER), "The users who submit.")
                    .or("the user `nobody`")
                    .eg("[{name: ada}]"),
            Key.of("kinds", sections(KIND), "The kinds of applications; 1 to 1000.")
                    .isRequired()
                    .eg("[{name: build, duration: 5m}]"));

    static final Keys WORKLOAD_FILE = Keys.of(
            "synthetic workload",
            WORKLOAD,
            Key.of(SyntheticWorkload.KEY, section(SYNTHETIC), "How the workload is generated.")
                    .isRequired()
                    .eg("{for: 24h, arrivals: …, kinds: …}"),
            Key.of("nodes", sections(NodeListReader.NODE_KEYS), "The nodes; `--nodes` replaces them.")
                    .eg("[{name: w, count: 4, capacity: {vcore: 8}}]"),
            Key.of("partitions", sections(PartitionsReader.KEYS), "The partitions; `--config` replaces them.")
                    .eg("[{queues: [{name: web}]}]"));

    private SyntheticKeys() {}
}
