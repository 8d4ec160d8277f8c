package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Program.ProgramResult;
import dev.sluice.runtime.machine.Enforcement;
import dev.sluice.runtime.machine.LimitMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs commands of the command line with the packaged program. */
@ProgramTest
final class RunCommandLineTest {

    @TempDir
    Path directory;

    @Test
    void command_withoutFile_runsWithItsArguments() throws Exception {
        ProgramResult answer = Program.run(
                directory, "run", "--cpus", "500m", "--", "sh", "-c", "printf '<%s>' \"$@\" >words", "-", "a  b", "");

        assertThat(answer.exitCode()).as(answer.err()).isZero();
        assertThat(directory.resolve("words")).hasContent("<a  b><>");
        assertThat(answer.out()).containsPattern("(?m)^sh +Completed +1/1 ").containsPattern("Logs: .*-sh$");
    }

    /** Each value is one word, wherever its place is, and none is executed. */
    @Test
    void value_ofMatrix_isNeverExecuted() throws Exception {
        ProgramResult answer = JobRuns.run(directory, """
                tasks:
                - id: t
                  matrix: {v: ["$(touch pwned)", "'; touch pwned; '", "`touch pwned`", "\\"; touch pwned; \\"", "a  b", "*"]}
                  command: |
                    # don't
                    printf '<%s>' {v} "{v}" '{v}' "$(printf '%s' "{v}")" >"$SLUICE_SCRATCH/out"
                    cat "$SLUICE_SCRATCH/out" >$SLUICE_TASK
                """, "-q");

        assertThat(answer.exitCode()).as(answer.err()).isZero();
        assertThat(directory.resolve("pwned")).doesNotExist();
        List<String> values =
                List.of("$(touch pwned)", "'; touch pwned; '", "`touch pwned`", "\"; touch pwned; \"", "a  b", "*");
        for (int i = 0; i < values.size(); i++) {
            assertThat(directory.resolve("t-" + i)).hasContent(("<" + values.get(i) + ">").repeat(4));
        }
    }

    @Test
    void lines_ofStandardInput_runAsShellCommands() throws Exception {
        Files.writeString(directory.resolve("lines"), "# comment\necho 1 >>\"$SLUICE_TASK\"\n\nexit 3\n");
        Process process = PackagedProgram.process("run", "--each", "--name", "all", "-o", "json", "-q")
                .directory(directory.toFile())
                .redirectInput(directory.resolve("lines").toFile())
                .redirectOutput(directory.resolve("out").toFile())
                .redirectError(directory.resolve("err").toFile())
                .start();
        ProgramResult answer = Program.answer(directory, process.waitFor());

        assertThat(answer.exitCode()).as(answer.err()).isEqualTo(1);
        assertThat(directory.resolve("line-2")).hasContent("1");
        assertThat(JobRuns.application(answer, "all").get("exitCodes").toString())
                .isEqualTo("{\"0\":1,\"3\":1}");
    }

    @Test
    void command_wordWithAt_isNotReadFromFile() throws Exception {
        Files.writeString(directory.resolve("args"), "a b");

        ProgramResult answer = Program.run(directory, "run", "--task-output", "group", "--", "echo", "@args", "@none");

        assertThat(answer.out()).as(answer.err()).contains("@args @none");
    }

    @Test
    void limits_notEnforceable_leaveNothingToResume() throws Exception {
        Assumptions.assumeFalse(isCgroupUsable(), "cgroup v2 can be used here");

        ProgramResult answer = Program.run(directory, "run", "--limits", "cgroup", "--", "touch", "ran");

        assertThat(answer.exitCode()).isEqualTo(2);
        assertThat(answer.err()).contains("--limits: cannot use cgroup v2");
        assertThat(directory.resolve(".sluice")).doesNotExist();
    }

    @Test
    void gpus_fewerThanNodesHave_areRefused() throws Exception {
        Files.writeString(directory.resolve("jobs.yaml"), """
                nodes: [{name: n, capacity: {vcore: 1, gpu: 2}}]
                applications: [{id: a, tasks: [{id: t, resources: {gpu: 1}, command: "true"}]}]
                """);

        ProgramResult answer = withGpu("run", "jobs.yaml");
        assertThat(answer.exitCode()).isEqualTo(2);
        assertThat(answer.err())
                .isEqualTo("sluice: this machine has 1 GPU (3), but the nodes have 2 gpu: change the nodes, or add"
                        + " --node-gpus none, which assigns no GPUs to tasks\n");
        assertThat(withGpu("run", "jobs.yaml", "--node-gpus", "none").exitCode())
                .isZero();
    }

    private ProgramResult withGpu(String... arguments) throws Exception {
        ProcessBuilder program = PackagedProgram.process(arguments)
                .directory(directory.toFile())
                .redirectOutput(directory.resolve("out").toFile())
                .redirectError(directory.resolve("err").toFile());
        program.environment().put("CUDA_VISIBLE_DEVICES", "3");
        return Program.answer(directory, program.start().waitFor());
    }

    private static boolean isCgroupUsable() {
        try {
            return Enforcement.of(LimitMode.CGROUP).cgroups() != null;
        } catch (IllegalStateException e) {
            return false;
        }
    }
}
