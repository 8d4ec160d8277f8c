package dev.sluice.simulator.workload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.core.testing.Fuzzer;
import dev.sluice.simulator.workload.csv.CsvNodes;
import dev.sluice.simulator.workload.csv.CsvWorkload;
import dev.sluice.simulator.workload.swf.SwfWorkload;
import dev.sluice.simulator.workload.synthetic.SyntheticWorkload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mutated logs, tables, mappings and descriptions: they are rejected with problems, or give arrivals. */
class WorkloadFuzzTest {

    private static final Path CORPUS = Path.of("src/test/resources/fuzz");
    private static final int ARRIVALS_MAX = 200;

    @TempDir
    private Path folder;

    /** What readers throw to reject a file. */
    private static final class NothingException extends Exception {
        private static final long serialVersionUID = 1;
    }

    @Test
    @Tag("slow")
    void workloads_mutated_giveArrivalsOrProblems() throws Exception {
        fuzz(Fuzzer.FEW_FILES);
    }

    @Test
    @Tag("long")
    void workloads_mutatedOften_giveArrivalsOrProblems() throws Exception {
        fuzz(Fuzzer.MANY);
    }

    private void fuzz(int rounds) throws Exception {
        Path table = CORPUS.resolve("csv/clusters.csv");
        Path mapping = CORPUS.resolve("mapping/clusters.yaml");
        List<Integer> accepted = List.of(
                fuzz("swf", rounds, false, SwfWorkload::read),
                fuzz("csv", rounds, false, file -> CsvWorkload.read(file, mapping)),
                fuzz("mapping", rounds, true, file -> {
                    check(CsvNodes.read(table, file));
                    check(CsvWorkload.checkMapping(file));
                    return CsvWorkload.read(table, file);
                }),
                fuzz("synthetic", rounds, true, file -> {
                    ParseResult<? extends Workload> reading = WorkloadFile.read(file, null);
                    return reading.isOk() ? reading : SyntheticWorkload.read("f", text(file));
                }));
        assertThat(accepted).allMatch(count -> count > 0 && count < rounds);
    }

    private interface WorkloadReader {
        ParseResult<? extends Workload> read(Path file) throws IOException;
    }

    private int fuzz(String corpus, int rounds, boolean yaml, WorkloadReader reader) throws Exception {
        Path file = folder.resolve(corpus + (yaml ? ".yaml" : ""));
        return new Fuzzer(corpus, NothingException.class, input -> {
                    ParseResult<? extends Workload> reading = reader.read(Files.write(file, input));
                    check(reading);
                    return reading.isOk() && arrivals(reading.value()) > 0;
                })
                .run(rounds);
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), UTF_8);
    }

    private static void check(ParseResult<?> reading) {
        assertThat(reading.isOk() || !reading.report().isEmpty()).isTrue();
        assertThat(reading.problems()).allSatisfy(problem -> {
            assertThat(problem.line()).isGreaterThanOrEqualTo(0);
            assertThat(problem.message()).doesNotContain("\n").matches(Fuzzer::isReadable);
        });
    }

    /** Reads arrivals until there are no more or the file turns out to be unreadable. */
    private static int arrivals(Workload workload) {
        int count = 0;
        try (ArrivalStream stream = workload.open()) {
            for (Arrival next = stream.next(); next != null && count < ARRIVALS_MAX; next = stream.next()) {
                count++;
            }
        } catch (IOException e) {
            assertThat(String.valueOf(e.getMessage())).matches(Fuzzer::isReadable);
        }
        return count;
    }
}
