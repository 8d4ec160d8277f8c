package dev.sluice.simulator.workload.csv;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Resources;
import dev.sluice.simulator.workload.Arrival;
import dev.sluice.simulator.workload.MalformedLines;
import dev.sluice.simulator.workload.WorkloadTexts;
import dev.sluice.simulator.workload.WorkloadTexts.Pass;
import dev.sluice.simulator.workload.lines.LineReader;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsvWorkloadTest {

    /** A minimal mapping, for a table with the columns t, d and c. */
    private static final String SMALLEST = "applications: {submitted: t, duration: d, resources: {vcore: c}";

    @TempDir
    Path directory;

    private CsvWorkload workload(String mapping, String table) {
        return CsvWorkload.read(
                        WorkloadTexts.write(directory, "table.csv", table),
                        WorkloadTexts.write(directory, "mapping.yaml", mapping))
                .value();
    }

    private Pass pass(String mapping, String table) {
        return WorkloadTexts.pass(workload(mapping, table));
    }

    private Arrival only(String mapping, String table) {
        Pass pass = pass(mapping, table);
        assertThat(pass.reasons()).isEmpty();
        assertThat(pass.arrivals()).hasSize(1);
        return pass.arrivals().get(0);
    }

    /** Reads a row with one more column under the minimal mapping with an addition. */
    private ApplicationSpec with(String more, String value) {
        return only(SMALLEST + ", " + more + "}", "t,d,c,x\n0,1,1," + value + "\n")
                .application();
    }

    private TaskSpec taskWith(String more, String value) {
        return with(more, value).tasks().get(0);
    }

    private static Resources taken(Arrival arrival) {
        return arrival.application().tasks().get(0).resources();
    }

    @Test
    void row_minimalMapping_hasLineIdAndNoUser() {
        Arrival arrival = only(SMALLEST + "}", "t,d,c\n\n60,1.5,2\n");

        assertThat(arrival.submitted()).isEqualTo(Instant.ofEpochSecond(60));
        assertThat(arrival.partition()).isEqualTo("default");
        assertThat(arrival.durations()).containsExactly(Duration.ofMillis(1500));
        assertThat(taken(arrival)).isEqualTo(Resources.parse("vcore", "2"));
        assertThat(arrival.application().id()).isEqualTo("line3");
        assertThat(arrival.application().name()).isEqualTo("nobody");
        assertThat(arrival.application().user()).isEqualTo("nobody");
        assertThat(arrival.application().queue()).isNull();
        assertThat(arrival.application().groups()).isEmpty();
        assertThat(arrival.application().tags()).isEmpty();
        assertThat(arrival.application().sealed()).isTrue();
    }

    @Test
    void row_everythingMapped_isReadAsMapped() {
        ApplicationSpec application = only(
                        """
                                applications:
                                  id: job
                                  name: program
                                  submitted: t
                                  duration: d
                                  user: who
                                  groups: [team, {constant: all}]
                                  queue: where
                                  tags: {team: team, kind: {column: kind, whenempty: none}, no: kind}
                                  priority: prio
                                  resources: {vcore: c}
                                  nodeSelector: {disk: disk}
                                """, "job,program,t,d,who,team,where,kind,prio,c,disk\nj1,etl,0,1,ann,blue,root.A.b,,-7,1,ssd")
                .application();

        assertThat(application.id()).isEqualTo("j1");
        assertThat(application.name()).isEqualTo("etl");
        assertThat(application.user()).isEqualTo("ann");
        assertThat(application.groups()).containsExactly("blue", "all");
        assertThat(application.queue()).isEqualTo("root.a.b");
        assertThat(application.tags()).isEqualTo(Map.of("team", "blue", "kind", "none"));
        assertThat(application.tasks().get(0).priority()).isEqualTo(-7);
        assertThat(application.tasks().get(0).constraints().nodeSelector()).isEqualTo(Map.of("disk", "ssd"));
    }

    @ParameterizedTest(name = "{0} of {1} is {2}")
    @CsvSource(delimiter = '|', textBlock = """
                    {column: x}                           | 90                    | 1970-01-01T00:01:30Z
                    {column: x, unit: ms}                 | 1500                  | 1970-01-01T00:00:01.500Z
                    {column: x, unit: d}                  | 0.5                   | 1970-01-01T12:00:00Z
                    {column: x, since: 2023-01-01T00:00:00Z} | 1e2                | 2023-01-01T00:01:40Z
                    {column: x}                           | -1.5                  | 1969-12-31T23:59:58.500Z
                    {column: x}                           | 1510000000.123456789  | 2017-11-06T20:26:40.123456789Z
                    {column: x, format: yyyy-MM-dd HH:mm:ss} | 2017-10-09 07:01:55 | 2017-10-09T07:01:55Z
                    {column: x, format: dd MMM yyyy}      | 09 Oct 2017           | 2017-10-09T00:00:00Z
                    {column: x, format: yyyy-MM-dd HH:mm XXX} | 2017-10-09 07:01 +02:00 | 2017-10-09T05:01:00Z
                    """)
    void submitted_notation_isRead(String source, String text, String instant) {
        Arrival arrival = only(
                "applications: {submitted: " + source + ", duration: {constant: 10m}, resources: {}}", "x\n" + text);

        assertThat(arrival.submitted()).isEqualTo(Instant.parse(instant));
        assertThat(arrival.durations()).containsExactly(Duration.ofMinutes(10));
    }

    @ParameterizedTest(name = "{0} of {1} and {2} is {3}")
    @CsvSource(delimiter = '|', textBlock = """
                    {column: x, unit: m}    | 2 | | PT2M
                    {from: x, to: y}        | 10 | 25.5 | PT15.5S
                    {from: x, to: y, unit: h} | 1 | 3 | PT2H
                    {from: x, to: y, format: HH:mm dd/MM/yy} | 23:59 31/12/22 | 00:01 01/01/23 | PT2M
                    x                       | 0 | | PT0S
                    """)
    void duration_notation_isRead(String source, String x, String y, Duration duration) {
        Arrival arrival = only(
                "applications: {submitted: t, duration: " + source + ", resources: {}}",
                "t,x,y\n0," + x + "," + (y == null ? "" : y));

        assertThat(arrival.durations()).containsExactly(duration);
    }

    @ParameterizedTest(name = "{0}: {1} is {2}")
    @CsvSource(delimiter = '|', textBlock = """
                    {vcore: x}                             | 1.5    | vcore 1500m
                    {vcore: x}                             | 0.0001 | vcore 1m
                    {vcore: {column: x, unit: 1m}}         | 1500   | vcore 1500m
                    {memory: {column: x, unit: 1Mi}}       | 2      | memory 2Mi
                    {gpu: {product: [x, c], unit: 1000}}   | 2      | gpu 2000
                    {gpu: {constant: 4}}                   | 9      | gpu 4
                    {gpu: {column: x, whenempty: 3}}       |        | gpu 3
                    {gpu: x, vcore: c}                     | 0      | vcore 1
                    """)
    void resources_notation_isRead(String resources, String text, String taken) {
        Arrival arrival = only(
                "applications: {submitted: t, duration: d, resources: " + resources + "}",
                "t,d,c,x\n0,1,1," + (text == null ? "" : text));

        assertThat(taken(arrival)).hasToString(taken);
    }

    @Test
    void label_alternativesUnconstrained_allowsAnyNode() {
        String label = "nodeSelector: {gpu: {column: x, separator: '|', several: unconstrained}}";

        assertThat(taskWith(label, "T4").constraints().nodeSelector()).isEqualTo(Map.of("gpu", "T4"));
        assertThat(taskWith(label, "T4|A10").constraints().nodeSelector()).isEmpty();
        assertThat(taskWith(label, "").constraints().nodeSelector()).isEmpty();
    }

    @Test
    void label_alternativesExcluded_rowIsSkipped() {
        Pass pass = pass(
                SMALLEST + ", nodeSelector: {gpu: {column: x, separator: '|', several: exclude}}}",
                "t,d,c,x\n0,1,1,T4|A10\n0,1,1,T4\n");

        assertThat(pass.ids()).containsExactly("line3");
        assertThat(pass.malformed()).isEqualTo(new MalformedLines(2, 0, java.util.List.of()));
    }

    @ParameterizedTest(name = "{0} leaves {1}")
    @CsvSource(delimiter = '|', textBlock = """
                    {column: x, is: ""}       | line3 line4
                    {column: x, is: a}        | line2 line4
                    {column: x, is: [a, b]}   | line2
                    {column: x, isnot: [a]}   | line3
                    """)
    void rows_excluded_areSkipped(String rule, String ids) {
        Pass pass = pass(SMALLEST + ", exclude: [" + rule + "]}", "t,d,c,x\n0,1,1,\n0,1,1,a\n0,1,1,b\n");

        assertThat(pass.ids()).containsExactly(ids.split(" "));
        assertThat(pass.malformed()).isEqualTo(new MalformedLines(3, 0, java.util.List.of()));
    }

    @Test
    void row_excluded_mayBeMalformed() {
        Pass pass = pass(SMALLEST + ", exclude: [{column: t, is: ''}]}", "t,d,c\n,x,y\n0,1,1\n");

        assertThat(pass.ids()).containsExactly("line3");
        assertThat(pass.reasons()).isEmpty();
    }

    @ParameterizedTest(name = "{0},{1},{2}")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
                    ''   | 1  | 1 | 2:1: empty field: expected a number
                    x    | 1  | 1 | 2:1: "x" is not a valid time: expected a number
                    NaN  | 1  | 1 | 2:1: "NaN" is not a valid time: expected a number
                    1e99 | 1  | 1 | 2:1: "1e99" is not a valid time: expected a number
                    1e999999999 | 1  | 1 | 2:1: "1e999999999" is not a valid time: expected a number
                    0x1p3 | 1 | 1 | 2:1: "0x1p3" is not a valid time: expected a number
                    999999999999 | 1 | 1 | 2:1: "999999999999" is not a valid time: expected a number
                    0    | '' | 1 | 2:3: empty field: expected a duration
                    0    | -1 | 1 | 2:3: "-1" is not a valid duration: expected a number from 0 to 100000 days
                    0    | 1e10 | 1 | 2:3: "1e10" is not a valid duration: expected a number from 0 to 100000 days
                    0    | Infinity | 1 | 2:3: "Infinity" is not a valid duration: expected a number from 0 to 100000 days
                    0    | 1  | '' | 2:5: empty field: expected an amount of vcore
                    0    | 1  | -1 | 2:5: "-1" is not a valid amount of vcore: expected a number of at least 0
                    0    | 1  | 1e20 | 2:5: amount of vcore out of range: "1e20"
                    0    | 1  | one  | 2:5: "one" is not a valid amount of vcore: expected a number of at least 0
                    0    | 1  | 1,2 | 2:1: row has 4 columns instead of 3
                    0    | 1  | "1 | 2:5: quote is not closed within 65536 bytes
                    0    | 1  | "1"2 | 2:8: unexpected text after the closing quote
                    0    | 1  | 1"2 | 2:6: quote in an unquoted field: quote the whole field and double the quotes inside it
                    """)
    void row_malformed_isSkippedWithReason(String t, String d, String c, String reason) {
        Pass pass = pass(SMALLEST + "}", "t,d,c\n" + t + "," + d + "," + c + "\n7,7,7\n");

        assertThat(pass.reasons()).containsExactly(reason);
        assertThat(pass.ids()).containsExactly("line3");
        assertThat(pass.malformed().lines()).isEqualTo(2);
    }

    @Test
    void duration_endBeforeStart_isMalformed() {
        assertThat(pass("applications: {submitted: t, duration: {from: t, to: d}, resources: {}}", "t,d\n10,5\n")
                        .reasons())
                .containsExactly("2:4: from \"10\" to \"5\" is a negative duration");
    }

    @Test
    void date_invalid_isMalformedWithExample() {
        assertThat(pass(
                                "applications: {submitted: {column: t, format: yyyy-MM-dd}, duration: d, resources: {}}",
                                "t,d\n2022-02-31x,5\n")
                        .reasons())
                .containsExactly("2:1: \"2022-02-31x\" is not a valid time: expected a date such as yyyy-MM-dd");
    }

    @Test
    void id_duplicate_secondIsMalformed() {
        Pass pass = pass(SMALLEST + ", id: x}", "t,d,c,x\n0,x,1,a\n0,1,1,a\n0,1,1,a\n0,1,1,b\n0,1,1,\n");

        assertThat(pass.ids()).containsExactly("a", "b");
        assertThat(pass.reasons())
                .containsExactly(
                        "2:3: \"x\" is not a valid duration: expected a number from 0 to 100000 days",
                        "4:7: duplicate application id \"a\"",
                        "6:7: empty field: expected an id");
    }

    @Test
    void name_tooLongOrWithControls_isMalformed() {
        assertThat(pass(
                                SMALLEST + ", user: x}",
                                "t,d,c,x\n0,1,1," + "u".repeat(257) + "\n0,1,1,\"a\nb\"\n0,1,1," + "v".repeat(256))
                        .reasons())
                .hasSize(2)
                .allMatch(each -> each.contains("a user must have 1 to 256 characters"));
    }

    @ParameterizedTest
    @CsvSource({"1.5", "high", "3e9", "-2147483649"})
    void priority_notInteger_isMalformed(String priority) {
        assertThat(pass(SMALLEST + ", priority: x}", "t,d,c,x\n0,1,1," + priority)
                        .reasons())
                .containsExactly(
                        "2:7: \"" + priority + "\" is not a valid priority: expected an integer of at most 2147483647");
    }

    @Test
    void quotedFields_mayContainSeparatorsQuotesAndLineBreaks() {
        Pass pass = pass(
                SMALLEST + ", tags: {x: x}, id: i}",
                "\"t\",d,c,x,i\r\n0,1,1,\"a,\"\"b\"\",\",one\r\n0,1,\"1\",\"\",two\r\n");

        assertThat(pass.reasons()).isEmpty();
        assertThat(pass.ids()).containsExactly("one", "two");
        assertThat(pass.arrivals().get(0).application().tags()).isEqualTo(Map.of("x", "a,\"b\","));
        assertThat(pass.arrivals().get(1).application().tags()).isEmpty();
    }

    @Test
    void quotedField_ofSeveralLines_isOneRow() {
        Pass pass = pass(SMALLEST + "}", "t,d,c,x\n0,1,1,\"a\n\r\n\nb\"\nx,1,1,\n0,1,1,");

        assertThat(pass.ids()).containsExactly("line2", "line7");
        assertThat(pass.reasons()).containsExactly("6:1: \"x\" is not a valid time: expected a number");
    }

    @Test
    void quote_neverClosed_onlyItsLineIsMalformed() {
        StringBuilder table = new StringBuilder("t,d,c,x\n0,1,1,\"open\n");
        for (int i = 0; i < 20_000; i++) {
            table.append("0,1,1,plain\n");
        }

        Pass pass = pass(SMALLEST + "}", table.toString());

        assertThat(pass.reasons()).containsExactly("2:7: quote is not closed within 65536 bytes");
        assertThat(pass.arrivals()).hasSize(20_000);
        assertThat(pass.ids()).startsWith("line3", "line4").endsWith("line20002");
    }

    @Test
    void line_tooLong_isMalformedAndNextIsRead() {
        Pass pass = pass(
                SMALLEST + "}",
                "t,d,c\n" + "9".repeat(5 * LineReader.LINE_BYTES_MAX) + "\n" + ",".repeat(60_000) + "\n0,1,1");

        assertThat(pass.reasons())
                .containsExactly("2:1: line is longer than 65536 bytes", "3:1: row has more than 1000 columns");
        assertThat(pass.ids()).containsExactly("line4");
    }

    @Test
    void separator_given_separatesColumns() {
        assertThat(taken(only("separator: tab\n" + SMALLEST + "}", "t\td\tc\n0\t1\t3")))
                .hasToString("vcore 3");
        assertThat(taken(only("separator: ';'\n" + SMALLEST + "}", "t;d;c\n0;1;3")))
                .hasToString("vcore 3");
    }

    @Test
    void columns_namedByMapping_firstRowIsData() {
        assertThat(pass("columns: [t, d, c]\n" + SMALLEST + "}", "0,1,2\n0,1,2\n")
                        .ids())
                .containsExactly("line1", "line2");
    }

    @Test
    void file_gzipped_isDecompressed() {
        Path table = WorkloadTexts.write(directory, "t.csv", WorkloadTexts.packed("t,d,c\n0,1,2\n"));
        Path mapping = WorkloadTexts.write(directory, "m.yaml", SMALLEST + "}");

        assertThat(WorkloadTexts.pass(CsvWorkload.read(table, mapping).value()).ids())
                .containsExactly("line2");
    }

    @Test
    void equalValues_ofManyRows_areShared() {
        Pass pass = pass(SMALLEST + ", user: x, groups: [x]}", "t,d,c,x\n0,1,1,ann\n0,1,1,ann\n");
        ApplicationSpec first = pass.arrivals().get(0).application();
        ApplicationSpec second = pass.arrivals().get(1).application();

        assertThat(second.user()).isSameAs(first.user());
        assertThat(second.groups()).isSameAs(first.groups());
        assertThat(second.tasks()).isSameAs(first.tasks());
    }
}
