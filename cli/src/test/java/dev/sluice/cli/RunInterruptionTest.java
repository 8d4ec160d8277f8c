package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.cli.Program.ProgramResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Interrupts, kills and resumes runs of the packaged program. */
@ProgramTest
@Tag("slow")
final class RunInterruptionTest {

    @TempDir
    Path directory;

    private static final String WAITING = "until [ -e go ]";

    /** Starts tasks that do not end by themselves, with grandchildren, one of which ignores SIGTERM. */
    private Process startEndless(String marker) throws Exception {
        Files.writeString(directory.resolve("jobs.yaml"), """
                applications:
                  - id: endless
                    tasks:
                      - {id: t, count: 2, command: "sh -c 'exec sleep %s' & sleep %s"}
                      - {id: deaf, command: "trap '' TERM; sleep %s; sleep %s"}
                """.formatted(marker, marker, marker, marker));
        Process process = Program.start(directory, "run", "jobs.yaml", "--slots", "3", "--grace", "1s");
        await().atMost(Duration.ofSeconds(60)).until(() -> alive(marker) >= 5);
        return process;
    }

    private static long alive(String marker) {
        return count(line -> line.equals("sleep\0" + marker + "\0"));
    }

    private static long count(Predicate<String> commandLine) {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return processes
                    .filter(process -> process.getFileName().toString().matches("[0-9]+"))
                    .filter(process -> commandLine.test(commandLine(process)))
                    .count();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String commandLine(Path process) {
        try {
            return Files.readString(process.resolve("cmdline"));
        } catch (IOException gone) {
            return "";
        }
    }

    private static void signal(Process process, String signal) throws Exception {
        Process kill = new ProcessBuilder(List.of("kill", "-" + signal, Long.toString(process.pid()))).start();
        assertThat(kill.waitFor()).isZero();
    }

    private void interrupted(String signal, int exitCode, String marker) throws Exception {
        Process process = startEndless(marker);

        signal(process, signal);

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        ProgramResult answer = Program.answer(directory, process.exitValue());
        assertThat(answer.exitCode()).as(answer.err()).isEqualTo(exitCode);
        assertThat(alive(marker)).isZero();
        assertThat(answer.out()).containsPattern("(?m)^endless +Failed +0/3 ");
        assertThat(answer.err())
                .contains("Interrupted: stopping all tasks")
                .contains("resume with: sluice run --resume ");
    }

    @Test
    void interrupt_stopsAllTasksAndShowsTheTable() throws Exception {
        interrupted("INT", 130, "86411");
    }

    @Test
    void termination_stopsAllTasksAndShowsTheTable() throws Exception {
        interrupted("TERM", 143, "86412");
    }

    @Test
    void secondInterrupt_haltsAndLeavesNoProcess() throws Exception {
        Process process = startEndless("86413");
        signal(process, "INT");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> Files.readString(directory.resolve("err")).contains("Interrupted"));

        signal(process, "INT");

        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(130);
        await().atMost(Duration.ofSeconds(30)).until(() -> alive("86413") == 0);
    }

    @Test
    void programThatIsKilled_leavesNothing() throws Exception {
        Process process = startEndless("86414");

        signal(process, "KILL");

        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        await().atMost(Duration.ofSeconds(30)).until(() -> alive("86414") == 0);
    }

    /** Starts tasks each of which records its end; half of them end only when there is a file {@code go}. */
    private Process startResumable() throws Exception {
        Files.writeString(directory.resolve("jobs.yaml"), """
                nodes: [{name: n, capacity: {slots: 4}}]
                applications:
                  - id: a
                    tasks:
                      - {id: done, count: 20, command: "echo $SLUICE_TASK >> ended"}
                      - id: late
                        count: 20
                        after: {done: succeeded}
                        command: "touch waits; %s; do sleep 0.05; done; echo $SLUICE_TASK >> ended"
                """.formatted(WAITING));
        Process process = Program.start(directory, "run", "jobs.yaml");
        await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(directory.resolve("waits")));
        return process;
    }

    private void resumed(String signal) throws Exception {
        Process process = startResumable();
        signal(process, signal);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        await().atMost(Duration.ofSeconds(30)).until(() -> count(line -> line.contains(WAITING)) == 0);
        Files.createFile(directory.resolve("go")); // tasks that had not been stopped yet would end, too

        ProgramResult answer = Program.run(directory, "run", "--resume");

        assertThat(answer.exitCode()).as(answer.err()).isZero();
        assertThat(answer.out()).containsPattern("(?m)^a +Completed +40/40 ");
        assertThat(answer.err()).containsOnlyOnce("a  started");
        assertThat(Files.readAllLines(directory.resolve("ended"))).hasSize(40).doesNotHaveDuplicates();
    }

    @Test
    void killedRun_resumed_runsEveryTaskToItsEndOnce() throws Exception {
        resumed("KILL");
    }

    @Test
    void interruptedRun_resumed_runsEveryTaskToItsEndOnce() throws Exception {
        resumed("INT");
    }

    @Test
    void runningRun_isNotResumed() throws Exception {
        Process process = startResumable();
        Path second = Files.createDirectory(directory.resolve("second"));

        Process other = PackagedProgram.process("run", "--resume")
                .directory(directory.toFile())
                .redirectError(second.resolve("err").toFile())
                .redirectOutput(second.resolve("out").toFile())
                .start();

        assertThat(other.waitFor()).isEqualTo(2);
        assertThat(Files.readString(second.resolve("err"))).contains("is running: wait for its end");
        Files.createFile(directory.resolve("go"));
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void failedTasks_resumedAfterFix_runAgain() throws Exception {
        ProgramResult failed = JobRuns.run(directory, """
                applications:
                  - {id: good, tasks: [{id: t, command: echo good >> ended}]}
                  - {id: bad, tasks: [{id: t, count: 3, command: 'test -e fixed && echo $SLUICE_TASK >> ended'}]}
                """);
        assertThat(failed.exitCode()).isEqualTo(1);
        assertThat(failed.err()).contains("run failed tasks again with: sluice run --resume-failed .sluice/logs/");
        Files.createFile(directory.resolve("fixed"));
        assertThat(Program.run(directory, "run", "--resume", "-q").exitCode()).isEqualTo(1);

        ProgramResult answer = Program.run(directory, "run", "--resume-failed", "-o", "json");

        assertThat(answer.exitCode()).as(answer.err()).isZero();
        assertThat(JobRuns.application(answer, "bad").get("succeeded").asInt()).isEqualTo(3);
        assertThat(Files.readAllLines(directory.resolve("ended")))
                .containsExactlyInAnyOrder("good", "t-0", "t-1", "t-2");
    }

    @Test
    void run_resumedElsewhere_isRefused() throws Exception {
        ProgramResult first = JobRuns.run(directory, "tasks: [{id: t, command: 'true'}]", "--logs", "logs", "-q");
        assertThat(first.exitCode()).isZero();
        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));

        ProgramResult answer = Program.run(elsewhere, "run", "--resume", "../logs");

        assertThat(answer.exitCode()).isEqualTo(2);
        assertThat(answer.err()).contains("run in " + directory + ": change to this folder");
    }
}
