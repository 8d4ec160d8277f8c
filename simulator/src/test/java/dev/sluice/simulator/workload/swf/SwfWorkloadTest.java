package dev.sluice.simulator.workload.swf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.core.resource.Resources;
import dev.sluice.simulator.workload.Arrival;
import dev.sluice.simulator.workload.WorkloadTexts;
import dev.sluice.simulator.workload.WorkloadTexts.Pass;
import dev.sluice.simulator.workload.lines.LineReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SwfWorkloadTest {

    private static final String HEADER = """
            ; Version: 2.2
            ; UnixStartTime: 1000
            ; TimeZoneString: Europe/London
            ; MaxNodes: 4
            ; MaxProcs: 8
            ; Queue: 2 batch the long one
            ; Partition:  3 ce01.north.org
            """;

    //                                  1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18
    private static final String JOB = "7 60 5 90 4 -1 -1 6 600 -1 1 12 3 5 2 3 -1 -1";

    @TempDir
    Path directory;

    private SwfWorkload workload(String text) {
        return SwfWorkload.read(WorkloadTexts.write(directory, "log.swf", text)).value();
    }

    private Pass pass(String text) {
        return WorkloadTexts.pass(workload(text));
    }

    private Arrival only(String text) {
        Pass pass = pass(text);
        assertThat(pass.reasons()).isEmpty();
        assertThat(pass.arrivals()).hasSize(1);
        return pass.arrivals().get(0);
    }

    /** Returns the job with another value in a column, numbered from 1. */
    private static String with(int column, String text) {
        String[] columns = JOB.split(" ");
        columns[column - 1] = text;
        return String.join(" ", columns);
    }

    @Test
    void job_allColumnsKnown_becomesApplicationOfOneTask() {
        Arrival arrival = only(HEADER + JOB + "\n");

        assertThat(arrival.submitted()).isEqualTo(Instant.ofEpochSecond(1060));
        assertThat(arrival.partition()).isEqualTo("default");
        assertThat(arrival.durations()).containsExactly(Duration.ofSeconds(90));
        assertThat(arrival.application().id()).isEqualTo("7");
        assertThat(arrival.application().name()).isEqualTo("user12-app5");
        assertThat(arrival.application().user()).isEqualTo("user12");
        assertThat(arrival.application().groups()).containsExactly("group3");
        assertThat(arrival.application().queue()).isNull();
        assertThat(arrival.application().sealed()).isTrue();
        assertThat(arrival.application().tags())
                .isEqualTo(Map.of(
                        "group", "group3", "queue", "batch", "partition", "ce01_north_org", "application", "app5"));
        assertThat(arrival.application().tasks()).hasSize(1);
        assertThat(arrival.application().tasks().get(0).size()).isOne();
        assertThat(arrival.application().tasks().get(0).resources()).isEqualTo(Resources.parse("vcore", "6"));
        assertThat(arrival.application().tasks().get(0).expectedDuration()).isZero();
    }

    @Test
    void job_minimalColumns_hasNoUserAndTags() {
        Arrival arrival = only("1 0 -1 10 2 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1");

        assertThat(arrival.submitted()).isEqualTo(Instant.EPOCH);
        assertThat(arrival.application().name()).isEqualTo("nobody");
        assertThat(arrival.application().user()).isEqualTo("nobody");
        assertThat(arrival.application().groups()).isEmpty();
        assertThat(arrival.application().tags()).isEmpty();
        assertThat(arrival.application().tasks().get(0).resources()).isEqualTo(Resources.parse("vcore", "2"));
    }

    @Test
    void names_missingInHeader_areNumbers() {
        assertThat(only(JOB).application().tags())
                .containsEntry("queue", "queue2")
                .containsEntry("partition", "partition3");
    }

    @Test
    void names_equalAfterConversion_onlyFirstIsUsed() {
        String header = "; Partition: 1 a.b\n; Partition: 2 A_B\n; Partition: 3 partition1\n; Partition: x y\n";
        Pass pass = pass(header
                + with(16, "1") + "\n"
                + with(16, "2").replaceFirst("7", "8") + "\n"
                + with(16, "3").replaceFirst("7", "9") + "\n");

        assertThat(pass.arrivals().stream()
                        .map(each -> each.application().tags().get("partition")))
                .containsExactly("a_b", "partition2", "partition3");
    }

    @Test
    void processors_noneRequested_areAllocatedOnes() {
        assertThat(only(with(8, "0")).application().tasks().get(0).resources())
                .isEqualTo(Resources.parse("vcore", "4"));
    }

    @Test
    void times_withFraction_areKept() {
        Arrival arrival = only(with(2, "1.5").replace(" 90 ", " 0.250 "));

        assertThat(arrival.submitted()).isEqualTo(Instant.ofEpochMilli(1500));
        assertThat(arrival.durations()).containsExactly(Duration.ofMillis(250));
    }

    @Test
    void job_zeroRunTime_isRead() {
        assertThat(only(with(4, "0")).durations()).containsExactly(Duration.ZERO);
    }

    @ParameterizedTest(name = "column {0} is {1}")
    @CsvSource(delimiter = '|', textBlock = """
                    1  | -1   | 1:1: missing job number: column 1 is -1
                    1  | x    | 1:1: "x" in column 1 is not a valid job number
                    2  | -1   | 1:3: missing submit time: column 2 is -1
                    2  | 1e5  | 1:3: "1e5" in column 2 is not a valid submit time
                    2  | 99999999999999999999999999999999999999999999999 | 1:3: "9999999999999999999999999999999999999999" in column 2 is not a valid submit time
                    2  | 999999999999999999 | 1:3: "999999999999999999" in column 2 is not a valid submit time
                    4  | -1   | 1:8: missing run time: column 4 is -1
                    4  | NaN  | 1:8: "NaN" in column 4 is not a valid run time
                    4  | -1.5 | 1:8: "-1.5" in column 4 is not a valid run time
                    4  | -0.5 | 1:8: "-0.5" in column 4 is not a valid run time
                    4  | 18446744073709551706 | 1:8: "18446744073709551706" in column 4 is not a valid run time
                    4  | 1.x  | 1:8: "1.x" in column 4 is not a valid run time
                    4  | 9000000000000 | 1:8: "9000000000000" in column 4 is not a valid run time
                    8  | 2.5  | 1:19: "2.5" in column 8 is not a valid number of processors
                    8  | 9999999999999999 | 1:19: "9999999999999999" in column 8 is not a valid number of processors
                    12 | -2   | 1:30: "-2" in column 12 is not a valid user
                    13 | ?    | 1:33: "?" in column 13 is not a valid group
                    14 | -    | 1:35: "-" in column 14 is not a valid executable
                    15 | q    | 1:37: "q" in column 15 is not a valid queue
                    16 | 1,5  | 1:39: "1,5" in column 16 is not a valid partition
                    """)
    void column_invalid_lineIsSkipped(int column, String text, String reason) {
        Pass pass = pass(with(column, text));

        assertThat(pass.arrivals()).isEmpty();
        assertThat(pass.reasons()).containsExactly(reason);
        assertThat(pass.malformed().lines()).isOne();
        assertThat(pass.malformed().malformed()).isOne();
    }

    @Test
    void job_withoutProcessors_isSkipped() {
        assertThat(pass("1 0 -1 10 -1 -1 -1 -1 -1 -1 1 1 1 1 1 1 -1 -1").reasons())
                .containsExactly("1:11: job 1 has no processors, neither requested nor allocated");
    }

    @ParameterizedTest
    @CsvSource({"0", "-1"})
    void job_cancelledBeforeStart_isSkippedWithReason(String runTime) {
        assertThat(pass(with(4, runTime).replace("-1 1 12", "-1 5 12")).reasons())
                .singleElement()
                .asString()
                .endsWith("job 7 was cancelled before it started");
    }

    @Test
    void job_cancelledWhileRunning_isRead() {
        assertThat(only(with(11, "5")).durations()).containsExactly(Duration.ofSeconds(90));
    }

    @Test
    void jobNumber_duplicate_secondIsSkipped() {
        Pass pass = pass(JOB + "\n\n; remark\n" + JOB + "\n" + with(11, "2") + "\n" + with(1, "8") + "\n");

        assertThat(pass.ids()).containsExactly("7", "8");
        assertThat(pass.reasons())
                .containsExactly(
                        "4:1: duplicate job number 7", "5:1: partial execution of job 7, which is already read");
        assertThat(pass.malformed().lines()).isEqualTo(4);
        assertThat(pass.malformed().share()).isEqualTo(0.5);
    }

    @ParameterizedTest
    @CsvSource({
        "1 2 3, line has 3 columns instead of 18",
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19, line has more than 18 columns instead of 18"
    })
    void line_wrongNumberOfColumns_isSkipped(String line, String reason) {
        assertThat(pass(JOB + "\n" + line).reasons()).containsExactly("2:1: " + reason);
    }

    @Test
    void log_withMoreThan18Columns_isReadWithOneWarning(@TempDir Path folder) throws Exception {
        String wide = HEADER + JOB + " 19 x\n" + with(1, "8") + " 19 y z\n" + with(1, "9") + "\n1 2 3\n";
        Path file = Files.writeString(folder.resolve("wide.swf"), wide);

        ParseResult<SwfWorkload> reading = SwfWorkload.read(file);

        int first = HEADER.split("\n", -1).length;
        assertThat(reading.warnings().stream().map(Object::toString))
                .containsExactly(file + ":" + first + ":1: jobs have more than 18 columns: ignoring the others");
        Pass pass = pass(wide);
        assertThat(pass.ids()).containsExactly("7", "8", "9");
        assertThat(pass.reasons()).containsExactly((first + 3) + ":1: line has 3 columns instead of 18");
        assertThat(only(HEADER + JOB + " 19 x\n")).isEqualTo(only(HEADER + JOB));
    }

    @Test
    void line_tabsBlanksAndCarriageReturns_areAccepted() {
        assertThat(only("\uFEFF" + HEADER.replace("\n", "\r\n") + "  " + JOB.replace(" ", "\t ") + " \r\n"))
                .isEqualTo(only(HEADER + JOB));
    }

    @Test
    void line_tooLong_isSkippedAndNextIsRead() {
        String endless = "9".repeat(10 * LineReader.LINE_BYTES_MAX);

        Pass pass = pass(JOB + "\n" + endless + "\n" + with(1, "8"));

        assertThat(pass.ids()).containsExactly("7", "8");
        assertThat(pass.reasons()).containsExactly("2:1: line is longer than 65536 bytes");
    }

    @Test
    void line_tooManyBlanks_isMalformed() {
        assertThat(pass(" ".repeat(2 * LineReader.LINE_BYTES_MAX) + JOB).reasons())
                .containsExactly("1:1: line is longer than 65536 bytes");
    }

    @Test
    void bytes_random_areCountedAsMalformed() {
        byte[] bytes = new byte[100_000];
        new java.util.Random(1).nextBytes(bytes);
        bytes[0] = 1;

        Pass pass = WorkloadTexts.pass(SwfWorkload.read(WorkloadTexts.write(directory, "log.swf", bytes))
                .value());

        assertThat(pass.arrivals()).isEmpty();
        assertThat(pass.malformed().malformed())
                .isEqualTo(pass.malformed().lines())
                .isGreaterThan(100);
        assertThat(pass.malformed().first()).hasSize(10);
    }

    @Test
    void file_gzipped_isDecompressedWithAnyName() {
        Path file = WorkloadTexts.write(directory, "log.swf", WorkloadTexts.packed(HEADER + JOB));

        SwfWorkload workload = SwfWorkload.read(file).value();

        assertThat(workload.name()).isEqualTo("log.swf");
        assertThat(WorkloadTexts.pass(workload).arrivals()).containsExactly(only(HEADER + JOB));
    }

    @Test
    void file_truncated_isReadUpToEndThenFails() throws IOException {
        byte[] whole = WorkloadTexts.packed((HEADER + JOB + "\n").repeat(5_000));
        Path file = WorkloadTexts.write(directory, "cut.swf.gz", Arrays.copyOf(whole, whole.length / 2));
        SwfWorkload workload = SwfWorkload.read(file).value();

        try (var arrivals = workload.open()) {
            assertThat(arrivals.next()).isNotNull();
            assertThatThrownBy(() -> {
                        while (arrivals.next() != null) {
                            // read to the end
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cut.swf.gz: truncated after line");
        }
    }

    @Test
    void workload_openedAgain_isTheSame() {
        SwfWorkload workload = workload(HEADER + JOB + "\n" + JOB + "\n" + with(1, "8"));

        assertThat(WorkloadTexts.pass(workload)).isEqualTo(WorkloadTexts.pass(workload));
    }

    @Test
    void nodes_processorsInHeader_areOnePool() {
        assertThat(workload(HEADER).nodes())
                .singleElement()
                .satisfies(node -> assertThat(node.nodeName(0)).isEqualTo("pool"))
                .satisfies(node -> assertThat(node.size()).isOne())
                .satisfies(node -> assertThat(node.capacity()).isEqualTo(Resources.parse("vcore", "8")));
    }

    @Test
    void nodes_onlyMaxNodesInHeader_areOnePool() {
        assertThat(workload("; MaxProcs: -1\n; MaxNodes: 4 (of two cores)\n").nodes())
                .singleElement()
                .satisfies(node -> assertThat(node.capacity()).isEqualTo(Resources.parse("vcore", "4")));
    }

    @Test
    void nodes_notInHeader_areNone() {
        assertThat(workload(JOB).nodes()).isEmpty();
    }

    @Test
    void header_valueNotNumber_isIgnoredWithWarning() {
        ParseResult<SwfWorkload> reading = SwfWorkload.read(
                WorkloadTexts.write(directory, "log.swf", "; MaxProcs: many\n; UnixStartTime: 1e9\n" + JOB));

        assertThat(reading.warnings()).extracting(each -> each.line()).containsExactly(1, 2);
        assertThat(reading.warnings().get(0).message())
                .isEqualTo("ignoring header field maxprocs: \"many\" is not an integer from 0 to 1000000000");
        assertThat(reading.value().nodes()).isEmpty();
    }

    @Test
    void equalValues_ofManyJobs_areShared() {
        Pass pass = pass(JOB + "\n" + with(1, "8"));
        var first = pass.arrivals().get(0).application();
        var second = pass.arrivals().get(1).application();

        assertThat(second.tasks()).isSameAs(first.tasks());
        assertThat(second.groups()).isSameAs(first.groups());
        assertThat(second.user()).isSameAs(first.user());
        assertThat(second.name()).isSameAs(first.name());
        assertThat(second.tags().get("partition")).isSameAs(first.tags().get("partition"));
    }

    @Test
    void file_missing_isAProblem() {
        assertThat(SwfWorkload.read(directory.resolve("none.swf")).report()).endsWith("none.swf: file not found");
    }

    @Test
    void file_onlyGzipMagic_isAProblem() {
        assertThat(SwfWorkload.read(WorkloadTexts.write(directory, "log.swf", new byte[] {0x1f, (byte) 0x8b}))
                        .report())
                .endsWith("log.swf: truncated file: incomplete gzip header");
    }
}
