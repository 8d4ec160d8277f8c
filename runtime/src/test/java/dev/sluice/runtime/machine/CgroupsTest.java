package dev.sluice.runtime.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.runtime.executor.MeasuredUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written to the files of control groups, and read from them. */
final class CgroupsTest {

    private static final RunRequest LIMITED = new RunRequest(0, 1 << 30, 1500);

    @TempDir
    Path folder;

    @Test
    void create_limitedRun_writesLimits() throws IOException {
        CgroupRoot root = new CgroupRoot(folder, "cpuset cpu io memory pids");
        Cgroups runner = Cgroups.open(root.root(), root.proc()).ofRunner("a/b");
        Path group = root.service().resolve("sluice-a_b/1.t");
        assertThat(runner.create("1.t", LIMITED)).isEqualTo(group.resolve("cgroup.procs"));
        assertThat(group.resolve("memory.max")).hasContent("1073741824");
        assertThat(group.resolve("memory.oom.group")).hasContent("1");
        assertThat(group.resolve("cpu.max")).hasContent("150000 100000");
        assertThat(group.resolve("pids.max")).hasContent("8192");
        assertThat(root.service().resolve("cgroup.subtree_control")).hasContent("+cpu +memory +pids");
        assertThat(root.service().resolve("sluice-a_b/cgroup.subtree_control")).hasContent("+cpu +memory +pids");
    }

    @Test
    void create_runWithoutRequests_limitsProcessesOnly() throws IOException {
        CgroupRoot root = new CgroupRoot(folder, "memory pids");
        Path group = Objects.requireNonNull(Cgroups.open(root.root(), root.proc())
                .ofRunner("a")
                .create("1.t", RunRequest.NONE)
                .getParent());
        try (var files = Files.list(group)) {
            assertThat(files).containsExactly(group.resolve("pids.max"));
        }
    }

    @Test
    void exceeded_eventsOfGroup_areToldApart() throws IOException {
        CgroupRoot root = new CgroupRoot(folder, "cpu memory pids");
        Cgroups runner = Cgroups.open(root.root(), root.proc()).ofRunner("a");
        Path group = Objects.requireNonNull(runner.create("1.t", LIMITED).getParent());
        assertThat(runner.exceeded("1.t", LIMITED)).isNull();
        Files.writeString(group.resolve("memory.events"), "low 0\nmax 7\noom 0\noom_kill 0\n");
        Files.writeString(group.resolve("pids.events"), "max 0\n");
        assertThat(runner.exceeded("1.t", LIMITED)).isNull();
        Files.writeString(group.resolve("pids.events"), "max 3\n");
        assertThat(runner.exceeded("1.t", LIMITED))
                .isEqualTo("too-many-processes: more than 8192 processes and threads");
        Files.writeString(group.resolve("memory.events"), "oom 1\noom_kill 1\n");
        assertThat(runner.exceeded("1.t", LIMITED)).isEqualTo("out-of-memory: used more than it requests (1Gi)");
        assertThat(runner.exceeded("1.t", RunRequest.NONE))
                .isEqualTo("out-of-memory: killed because this machine has no more memory");
    }

    @Test
    void measured_group_readsFilesThatExist() throws IOException {
        CgroupRoot root = new CgroupRoot(folder, "memory pids");
        Cgroups runner = Cgroups.open(root.root(), root.proc()).ofRunner("a");
        Path group = Objects.requireNonNull(runner.create("1.t", LIMITED).getParent());
        assertThat(runner.measured("1.t")).isEqualTo(MeasuredUse.NONE);
        Files.writeString(group.resolve("cpu.stat"), "user_usec 9\nusage_usec 1234567\nsystem_usec 9\n");
        Files.writeString(group.resolve("memory.current"), "4096\n");
        assertThat(runner.measured("1.t")).isEqualTo(new MeasuredUse(Duration.ofNanos(1_234_567_000), 4096L, 4096L));
        Files.writeString(group.resolve("memory.peak"), "8192\n");
        assertThat(runner.measured("1.t")).isEqualTo(new MeasuredUse(Duration.ofNanos(1_234_567_000), 4096L, 8192L));
    }

    @Test
    void open_ownGroupOfServer_takesItsParent() throws IOException {
        CgroupRoot root = new CgroupRoot(folder, "cpu memory pids");
        root.setOwn("/service/" + Cgroups.SERVER);
        Cgroups runner = Cgroups.open(root.root(), root.proc()).ofRunner("a");
        assertThat(runner.create("1.t", LIMITED)).startsWithRaw(root.service().resolve("sluice-a"));
    }

    @Test
    void open_otherProcessesInOwnGroup_isRefused() throws IOException {
        CgroupRoot root = new CgroupRoot(folder, "memory pids");
        Files.createDirectory(root.service().resolve("cgroup.subtree_control")); // cannot be written
        Files.writeString(
                root.service().resolve("cgroup.procs"),
                "1\n" + ProcessHandle.current().pid() + "\n");
        assertThatThrownBy(root::enforcement)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("cannot use cgroup v2: permission denied or other processes in " + root.service());
    }

    @Test
    void open_missingControllers_fallsBackToWatching() throws IOException {
        CgroupRoot root = new CgroupRoot(folder, "hugetlb");
        assertThat(Enforcement.of(LimitMode.AUTO, root.root(), Path.of("/proc")).description())
                .startsWith(
                        "memory and number of processes of a task, checked every few seconds (cgroup v2 is not used: ");
        assertThat(Enforcement.of(LimitMode.AUTO, root.root(), root.proc()).description())
                .isEqualTo("none: tasks may exceed their requests (no controllers for memory and processes in "
                        + root.service() + "; there is no /proc)");
    }

    @Test
    void enforcement_ofThisMachine_createsAndRemovesGroup() throws IOException {
        Enforcement own = Enforcement.of(LimitMode.AUTO);
        Cgroups groups = own.cgroups();
        assumeTrue(groups != null, own.description());
        Cgroups runner = groups.ofRunner("test-" + ProcessHandle.current().pid());
        Path procs = runner.create("run", LIMITED);
        assertThat(procs.resolveSibling("memory.max")).hasContent("1073741824");
        runner.removeAll();
        assertThat(procs).doesNotExist();
    }
}
