package dev.sluice.simulator.workload.csv;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problem;
import dev.sluice.simulator.workload.WorkloadTexts;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MappingFileTest {

    private static final String TABLE = "time,length,cores,kind,kind\n";

    @TempDir
    Path directory;

    private ParseResult<CsvWorkload> read(String mapping, String table) {
        return CsvWorkload.read(
                WorkloadTexts.write(directory, "table.csv", table),
                WorkloadTexts.write(directory, "mapping.yaml", mapping));
    }

    private static String shown(Problem problem) {
        return problem.line() + ":" + problem.column() + ": " + problem.message();
    }

    /** The third line of a mapping and its problem. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '!', quoteCharacter = '~', textBlock = """
                    user: knid             ! 3:9: unknown column "knid": did you mean "kind"?
                    user: who              ! 3:9: unknown column "who": expected one of time, length, cores, kind and kind
                    user: kind             ! 3:9: duplicate column "kind": name all columns under columns
                    users: cores           ! 3:3: unknown key "users" of the section applications: did you mean "user"? (see docs/reference/workload.md)
                    user: [cores]          ! 3:9: expected text, found a list
                    user: {}               ! 3:9: missing source: write one of column, constant
                    user: {column: cores, constant: x} ! 3:25: more than one source: remove all but one
                    user: {colum: cores}   ! 3:9: missing source: write one of column, constant
                    id: {constant: x}      ! 1:1: id must be unique: it cannot be a constant
                    tags: {a: [x]}         ! 3:13: expected text, found a list
                    tags: cores            ! 3:9: expected a map of tags and columns, found text
                    nodeSelector: {a: {column: cores, separator: "|"}} ! 3:21: separator and several must be given together: the text between alternatives, and one of [unconstrained, exclude]
                    nodeSelector: {a: {column: cores, separator: "|", several: any}} ! 3:62: unknown value of several "any": expected one of unconstrained and exclude
                    exclude: [{is: x}]    ! 3:13: missing column: write column: and its name
                    exclude: [{column: cores}] ! 3:13: missing source: write one of is, isnot
                    """)
    void mapping_invalid_reportsPositionAndFix(String line, String problem) {
        ParseResult<CsvWorkload> reading = read(
                "applications:\n  submitted: time\n  " + line + "\n  duration: length\n  resources: {vcore: cores}\n",
                TABLE);

        assertThat(reading.problems()).extracting(MappingFileTest::shown).contains(place(line, problem));
    }

    /** Returns the position of a problem; a problem of the whole section is at its beginning. */
    private static String place(String line, String problem) {
        return line.startsWith("id:") ? problem.replace("1:1:", "2:3:") : problem;
    }

    @ParameterizedTest(name = "submitted {0}, duration {1}, resources {2}")
    @CsvSource(delimiter = '!', quoteCharacter = '~', textBlock = """
                    {column: time, unit: sec} ! length ! {} ! 1:1: unknown unit "sec": expected one of d, h, m, s, ms, us and ns
                    {column: time, since: 2020} ! length ! {} ! "2020" is not an instant such as 2026-01-01T12:00:00Z
                    {column: time, format: HH:mm} ! length ! {} ! "HH:mm" is not a date format that includes the day: write for example yyyy-MM-dd HH:mm:ss
                    {column: time, format: nonsense} ! length ! {} ! "nonsense" is not a date format that includes the day: write for example yyyy-MM-dd HH:mm:ss
                    {column: time, format: pMdd} ! length ! {} ! "pMdd" is not a date format that includes the day: write for example yyyy-MM-dd HH:mm:ss
                    {column: time, format: yyyy-MM-dd, unit: s} ! length ! {} ! unit applies to numbers and format to dates: remove one
                    {unit: s} ! length ! {} ! missing column: write column: and its name
                    time ! {from: time} ! {} ! missing to: write to: and a column in addition to from
                    time ! {column: length, to: time} ! {} ! to is only allowed together with from
                    time ! {column: length, from: time} ! {} ! more than one source: remove all but one
                    time ! {constant: long} ! {} ! "long" is not a duration such as 90s, 1h30m or 2d
                    time ! length ! {slots: cores} ! every task takes one slot: remove slots
                    time ! length ! {gpu: {column: cores, unit: 1m}} ! "1m": unit m (thousandths) is only valid for vcore; write a whole number of gpu, such as 1 or 2M
                    time ! length ! {gpu: {column: cores, whenempty: -1}} ! "-1" is not a number of at least 0
                    time ! length ! {gpu: {product: []}} ! empty list: name the columns to multiply
                    time ! length ! {gpu: {product: [cores, cores, cores, cores, cores, cores, cores, cores, cores]}} ! a product must have at most 8 factors
                    time ! length ! {gpu: {product: [cores, coers]}} ! unknown column "coers": did you mean "cores"?
                    """)
    void source_invalid_isReported(String submitted, String duration, String resources, String problem) {
        ParseResult<CsvWorkload> reading = read(
                "applications:\n  submitted: " + submitted + "\n  duration: " + duration + "\n  resources: "
                        + resources,
                TABLE);

        assertThat(reading.problems())
                .extracting(Problem::message)
                .contains(problem.startsWith("1:1: ") ? problem.substring(5) : problem);
    }

    @Test
    void requiredKeys_missing_areAllReported() {
        assertThat(read("applications: {user: cores}", TABLE).problems())
                .extracting(Problem::message)
                .containsExactly(
                        "missing submitted, the submission time: write a column, or {column: …, format: …}",
                        "missing duration, the run time: write a column, or {from: …, to: …}",
                        "missing resources, the requests of each task: write a map such as {vcore: cores}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '!', textBlock = """
                    nodes: {}                             ! missing section applications, which maps the columns
                    {separator: ", ", applications: {}}   ! ", " is not a valid separator: write one character such as "," or ";", or tab
                    {separator: a, applications: {}}      ! "a" is not a valid separator: write one character such as "," or ";", or tab
                    [1]                                   ! expected a mapping, found a list: write a map with keys such as separator, columns and applications
                    {seperator: ";", applications: {}}    ! unknown key "seperator" of a mapping: did you mean "separator"? (see docs/reference/workload.md)
                    """)
    void file_withoutMapping_isReported(String mapping, String problem) {
        ParseResult<CsvWorkload> reading = read(mapping, TABLE);

        assertThat(reading.problems()).extracting(Problem::message).containsExactly(problem);
        assertThat(reading.problems().get(0).file()).endsWith("mapping.yaml");
    }

    @Test
    void table_emptyOrMissing_isReportedForTable() {
        String mapping = "applications: {submitted: t, duration: d, resources: {}}";

        assertThat(read(mapping, "\n\n").report())
                .endsWith("table.csv:1:1: empty file: the first line must name the columns");
        assertThat(read(mapping, "a,\"b\n").report()).endsWith("table.csv:1:3: quote is not closed within 65536 bytes");
        assertThat(CsvWorkload.read(directory.resolve("none.csv"), directory.resolve("mapping.yaml"))
                        .report())
                .endsWith("none.csv: file not found");
        assertThat(CsvWorkload.read(directory.resolve("table.csv"), directory.resolve("none.yaml"))
                        .report())
                .endsWith("none.yaml: file not found");
    }
}
