package dev.sluice.runtime.detached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.executor.MeasuredUse;
import dev.sluice.runtime.machine.CgroupRoot;
import dev.sluice.runtime.machine.Confinement;
import dev.sluice.runtime.machine.Enforcement;
import dev.sluice.runtime.machine.Gpus;
import dev.sluice.runtime.machine.LimitMode;
import dev.sluice.runtime.machine.RunRequest;
import dev.sluice.runtime.process.LocalCommand;
import dev.sluice.runtime.process.ProcessTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What real processes use, as measured. */
@Timeout(120)
final class MeasuredRunsTest {

    private static final RunKey RUN = DetachedRunnerFixture.key(1);

    /** Work of some tenths of a second in a child; then the shell prints its processor time to the log. */
    private static final String BURN =
            "sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'; { times; } >own; cat own\n";

    /** Some 60 MiB in the memory of a shell, until the file {@code go} exists. */
    private static final String HOLD =
            "x=$(head -c 60000000 /dev/zero | tr '\\0' a); touch held;" + " while [ ! -e go ]; do sleep 0.01; done; ";

    private static final long HELD = 60_000_000;

    @TempDir
    Path folder;

    private DetachedRunnerFixture fixture(Enforcement enforcement) {
        DetachedRunnerFixture fixture = new DetachedRunnerFixture(
                folder,
                DetachedRunnerFixture.LONG_GRACE,
                null,
                ProcessTable.ofThisSystem(),
                new Confinement(Gpus.NONE, enforcement));
        fixture.runner.recover(Map.of());
        return fixture;
    }

    private static MeasuredUse measured(DetachedRunnerFixture fixture) {
        return fixture.runner.measured(RUN);
    }

    private static Duration cpuTime(DetachedRunnerFixture fixture) {
        Duration cpuTime = measured(fixture).cpuTime();
        assertThat(cpuTime).isNotNull();
        return cpuTime;
    }

    private static void awaitMemory(DetachedRunnerFixture fixture) {
        DetachedRunnerFixture.eventually(() -> {
            Long memory = measured(fixture).memory();
            return memory != null && memory >= HELD;
        });
    }

    @Test
    void endedRun_burningProcessorTime_hasAtLeastWhatItReports() {
        try (DetachedRunnerFixture fixture = fixture(Enforcement.NONE)) {
            fixture.runShell(RUN, BURN);
            Duration own = Objects.requireNonNull(ShellTimes.ofChildren(fixture.log(RUN)));
            assertThat(own).isGreaterThan(Duration.ofMillis(50));
            assertThat(cpuTime(fixture)).isBetween(own, own.plusSeconds(2));
            assertThat(measured(fixture).memoryPeak()).isNull();
        }
    }

    /** As shells of former versions recorded the end, and a shell that prints something unknown. */
    @ParameterizedTest
    @ValueSource(strings = {"3\n", "3\n0m1.0s 0m1.0s\n0h1.0s\n"})
    void endedRun_withoutRecordedTime_endsWithUnknownTime(String code) throws IOException {
        try (DetachedRunnerFixture fixture = fixture(Enforcement.NONE)) {
            RunFolder run = fixture.runFolder(RUN);
            assertThat(run.create()).isTrue();
            Files.writeString(run.path().resolve("shell"), "1 boot 1\n");
            Files.createFile(run.path().resolve("claim"));
            Files.writeString(run.path().resolve("code"), code);
            Files.createFile(run.path().resolve("exit"));
            fixture.restart(RUN);
            assertThat(fixture.lastOf(RUN)).isEqualTo("exit code 3");
            assertThat(measured(fixture)).isEqualTo(MeasuredUse.NONE);
        }
    }

    /** Processor time is recorded by the shell of the run, so no server has to be there. */
    @Test
    void run_endingWhileNoRunnerWatches_keepsProcessorTime() {
        try (DetachedRunnerFixture fixture = fixture(Enforcement.NONE)) {
            fixture.startShell(RUN, "touch up; while [ ! -e go ]; do sleep 0.01; done; " + BURN);
            DetachedRunnerFixture.eventually(() -> Files.exists(folder.resolve("up")));
            fixture.runner.close();
            touch("go");
            DetachedRunnerFixture.eventually(() -> fixture.runFolder(RUN).exit() != null);
            fixture.restart(RUN);
            assertThat(fixture.lastOf(RUN)).isEqualTo("exit code 0");
            assertThat(cpuTime(fixture)).isGreaterThanOrEqualTo(ShellTimes.ofChildren(fixture.log(RUN)));
            assertThat(measured(fixture).memoryPeak()).isNull();
        }
    }

    /** A process keeps its own peak, so a runner that came later knows it. */
    @ParameterizedTest
    @EnumSource(names = {"WATCH", "NONE"})
    void runHoldingMemory_measuredBeforeAndAfterRestart_hasItsPeak(LimitMode mode) {
        try (DetachedRunnerFixture fixture = fixture(Enforcement.of(mode))) {
            fixture.startShell(RUN, HOLD + "x=; touch freed; while [ ! -e end ]; do sleep 0.01; done");
            awaitMemory(fixture);
            assertThat(measured(fixture).memoryPeak()).isBetween(HELD, 8 * HELD);
            assertThat(cpuTime(fixture)).isPositive();
            touch("go");
            DetachedRunnerFixture.eventually(() -> Files.exists(folder.resolve("freed")));
            fixture.restart(RUN);
            DetachedRunnerFixture.eventually(() -> measured(fixture).memoryPeak() != null);
            touch("end");
            assertThat(fixture.lastOf(RUN)).isEqualTo("exit code 0");
            assertThat(measured(fixture).memoryPeak()).isBetween(HELD, 8 * HELD);
            assertThat(measured(fixture).memory()).isNull();
        }
    }

    @Test
    void killedRun_withoutRecordedTime_keepsLastSample() {
        try (DetachedRunnerFixture fixture = fixture(Enforcement.of(LimitMode.WATCH))) {
            fixture.startShell(RUN, HOLD);
            awaitMemory(fixture);
            fixture.startShell(
                    DetachedRunnerFixture.key(2),
                    "kill -9 -$(cut -d' ' -f1 " + fixture.runFolder(RUN).path().resolve("shell") + ")");
            assertThat(fixture.lastOf(RUN)).startsWith("lost: ");
            assertThat(measured(fixture).memoryPeak()).isGreaterThanOrEqualTo(HELD);
            assertThat(cpuTime(fixture)).isPositive();
        }
    }

    @Test
    void runInGroup_atItsEndAndAfterRestart_hasFiguresOfKernel() throws IOException {
        CgroupRoot root = new CgroupRoot(folder.resolve("cgroup"), "cpu memory pids");
        try (DetachedRunnerFixture fixture = fixture(root.enforcement())) {
            // as the kernel would do it: counts what the processes of the group have used
            String script =
                    "cd " + root.service() + "/sluice-*/1.*/; printf 'usage_usec 2500000\\nuser_usec 1\\n' >cpu.stat;"
                            + " echo 3000 >memory.current; echo 7000 >memory.peak";
            fixture.runner.start(
                    RUN, LocalCommand.shell(script).withDirectory(folder), fixture.logFile(RUN), null, RunRequest.NONE);
            assertThat(fixture.lastOf(RUN)).isEqualTo("exit code 0");
            MeasuredUse expected = new MeasuredUse(Duration.ofMillis(2500), null, 7000L);
            assertThat(measured(fixture)).isEqualTo(expected);
            fixture.restart(RUN);
            assertThat(fixture.lastOf(RUN)).isEqualTo("exit code 0");
            assertThat(measured(fixture)).isEqualTo(expected);
        }
    }

    @Test
    void forgottenRun_isUnknown() {
        try (DetachedRunnerFixture fixture = fixture(Enforcement.NONE)) {
            fixture.runShell(RUN, "true");
            assertThat(measured(fixture).cpuTime()).isNotNull();
            fixture.runner.forget(RUN);
            assertThat(measured(fixture)).isEqualTo(MeasuredUse.NONE);
        }
    }

    private void touch(String name) {
        try {
            Files.createFile(folder.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
