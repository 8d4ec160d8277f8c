package dev.sluice.simulator.workload.csv;

import static dev.sluice.config.field.KeyType.DURATION;
import static dev.sluice.config.field.KeyType.INSTANT;
import static dev.sluice.config.field.KeyType.TEXT;
import static dev.sluice.config.field.KeyType.anyOf;
import static dev.sluice.config.field.KeyType.list;
import static dev.sluice.config.field.KeyType.map;
import static dev.sluice.config.field.KeyType.section;
import static dev.sluice.config.field.KeyType.sections;
import static dev.sluice.config.field.KeyType.words;
import static dev.sluice.config.field.ReferencePage.WORKLOAD;

import dev.sluice.config.field.Key;
import dev.sluice.config.field.KeyType;
import dev.sluice.config.field.Keys;
import java.util.List;

/** The keys of mapping files, with their documentation. */
final class MappingKeys {

    private static final KeyType UNIT = words(List.of("d", "h", "m", "s", "ms", "us", "ns"));
    private static final Key COLUMN =
            Key.of("column", TEXT, "The name of the column.").eg("cluster");
    private static final Key CONSTANT = Key.of("constant", TEXT, "The value in every row, instead of `column`.");
    private static final Key WHEN_EMPTY = Key.of("whenempty", TEXT, "The value where the column is empty.");
    private static final Key TIME_UNIT = Key.of("unit", UNIT, "The unit of the numbers in the column.")
            .or("s")
            .eg("ms");
    private static final Key FORMAT = Key.of(
                    "format",
                    TEXT,
                    "The format of dates, in the letters of Java's `DateTimeFormatter`; UTC unless it has an offset. Instead"
                            + " of `unit`.")
            .eg("\"yyyy-MM-dd HH:mm:ss\"");

    static final Keys TEXT_SOURCE = Keys.of(
            "text source",
            WORKLOAD,
            COLUMN,
            CONSTANT.eg("alice"),
            WHEN_EMPTY.or("none").eg("nobody"));

    static final Keys LABEL_SOURCE = Keys.of(
                    "label source",
                    WORKLOAD,
                    Key.of("separator", TEXT, "Separates alternatives in the column. Needs `several`.")
                            .eg("\"|\""),
                    Key.of(
                                    "several",
                                    words(LabelSource.MultiValuePolicy.WORDS.keySet()),
                                    "What happens to a row with several alternatives: its task may run on any node"
                                            + " (`unconstrained`), or the row is excluded. Needs `separator`.")
                            .eg("exclude"))
            .including(TEXT_SOURCE);

    static final Keys AMOUNT_SOURCE = Keys.of(
            "amount source",
            WORKLOAD,
            COLUMN.eg("cores"),
            Key.of("product", list(TEXT), "The names of columns that are multiplied, instead of `column`.")
                    .eg("[nodes, cores_per_node]"),
            CONSTANT.eg("4Gi"),
            Key.of("unit", TEXT, "The amount that a value of 1 stands for.")
                    .or("one core, one byte, one of anything else")
                    .eg("1Mi"),
            WHEN_EMPTY.or("an error").eg("0"));

    static final Keys TIME_SOURCE = Keys.of(
            "time source",
            WORKLOAD,
            COLUMN.isRequired().eg("submitted_at"),
            TIME_UNIT,
            Key.of("since", INSTANT, "The instant from which the numbers in the column count.")
                    .or("1970-01-01T00:00:00Z")
                    .eg("2023-01-01T00:00:00Z"),
            FORMAT);

    static final Keys DURATION_SOURCE = Keys.of(
            "duration source",
            WORKLOAD,
            COLUMN.eg("runtime"),
            Key.of("constant", DURATION, "The duration in every row, instead of `column`.")
                    .eg("10m"),
            Key.of("from", TEXT, "The column with the start, instead of `column`. Needs `to`.")
                    .eg("started_at"),
            Key.of("to", TEXT, "The column with the end. Needs `from`.").eg("ended_at"),
            TIME_UNIT,
            FORMAT);

    static final Keys EXCLUDE_RULE = Keys.of(
            "exclude rule",
            WORKLOAD,
            COLUMN.isRequired().eg("status"),
            Key.of("is", anyOf(TEXT, list(TEXT)), "Excludes the rows with one of these values. Either this or `isnot`.")
                    .eg("[failed, killed]"),
            Key.of("isnot", anyOf(TEXT, list(TEXT)), "Excludes the rows with none of these values.")
                    .eg("finished"));

    private static final KeyType ANY_TEXT = anyOf(TEXT, section(TEXT_SOURCE));
    private static final KeyType AMOUNTS = map("resource types", anyOf(TEXT, section(AMOUNT_SOURCE)));
    private static final Key EXCLUDE = Key.of("exclude", sections(EXCLUDE_RULE), "The rows that are excluded.")
            .eg("[{column: status, is: failed}]");

    static final Keys APPLICATIONS = Keys.of(
            "applications mapping",
            WORKLOAD,
            Key.of("id", ANY_TEXT, "The id; a row with the id of an earlier row is malformed.")
                    .or("`line` and the number of the line")
                    .eg("job_id"),
            Key.of(
                            "name",
                            ANY_TEXT,
                            "Shared by applications that do the same work, so that durations can be estimated.")
                    .or("the user")
                    .eg("script"),
            Key.of("submitted", anyOf(TEXT, section(TIME_SOURCE)), "When it is submitted; rows may be in any order.")
                    .isRequired()
                    .eg("{column: submitted_at, unit: s}"),
            Key.of("duration", anyOf(TEXT, section(DURATION_SOURCE)), "How long its task runs.")
                    .isRequired()
                    .eg("{column: runtime, unit: s}"),
            Key.of("user", ANY_TEXT, "The user who submits it.").or("nobody").eg("user"),
            Key.of("groups", list(ANY_TEXT), "The groups of the user.").eg("[cluster]"),
            Key.of("queue", ANY_TEXT, "The path of the queue.")
                    .or("as placement rules say")
                    .eg("{constant: root.batch}"),
            Key.of("tags", map("names", ANY_TEXT), "Tags that placement rules may use.")
                    .eg("{cluster: cluster}"),
            Key.of("priority", ANY_TEXT, "The priority of its task, a whole number.")
                    .or("0")
                    .eg("priority"),
            Key.of("resources", AMOUNTS, "What its task takes, rounded up to base units; 0 is not requested.")
                    .isRequired()
                    .eg("{vcore: cores}"),
            Key.of(
                            "nodeSelector",
                            map("labels", anyOf(TEXT, section(LABEL_SOURCE))),
                            "Labels that a node must have; an empty column means any node.")
                    .eg("{gpu: gpu_type}"),
            EXCLUDE);

    static final Keys NODES = Keys.of(
            "nodes mapping",
            WORKLOAD,
            Key.of("name", ANY_TEXT, "The name of the node.").isRequired().eg("machine_id"),
            Key.of("capacity", AMOUNTS, "What the node has, rounded down to base units.")
                    .isRequired()
                    .eg("{vcore: cores}"),
            Key.of("labels", map("labels", ANY_TEXT), "Labels of the node.").eg("{gpu: gpu_type}"),
            EXCLUDE);

    static final Keys MAPPING = Keys.of(
            "mapping",
            WORKLOAD,
            Key.of("separator", TEXT, "The character between columns, or `tab`.")
                    .or(",")
                    .eg("\";\""),
            Key.of("columns", list(TEXT), "The names of the columns, for a table without a header row.")
                    .or("the first row")
                    .eg("[id, submit, run]"),
            Key.of(
                            MappingFile.APPLICATIONS,
                            section(APPLICATIONS),
                            "How a row of a workload becomes an application. This or `nodes` is needed.")
                    .eg("{submitted: submit, duration: run, …}"),
            Key.of(MappingFile.NODES, section(NODES), "How a row of a list of nodes becomes a node.")
                    .eg("{name: id, capacity: {vcore: cores}}"));

    private MappingKeys() {}
}
