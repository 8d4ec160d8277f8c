package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Program.ProgramResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The completion script in bash, with names from a server. */
@ProgramTest
@Tag("slow")
final class ServerCompletionTest {

    private static final String QUEUES = """
            partitions:
              - name: default
                queues: [{name: root, queues: [{name: land}, {name: diff}]}]
            """;

    /** Calls the completion function as bash does; its arguments are the words of a command line. */
    private static final String CALL = """
            source "$1"; shift
            compopt() { :; }
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
            _complete_sluice
            printf '%s\\n' "${COMPREPLY[@]}"
            """;

    @TempDir
    Path directory;

    /** Returns the replies to these words after the program's name. */
    private List<String> complete(String... words) throws Exception {
        Path script = directory.resolve("completion");
        if (!Files.exists(script)) {
            Files.writeString(script, Program.execute("completion", "bash").out());
        }
        List<String> command =
                new ArrayList<>(List.of("bash", "--norc", "-c", CALL, "bash", script.toString(), program()));
        command.addAll(List.of(words));
        Path out = directory.resolve("replies");
        ProcessBuilder bash = new ProcessBuilder(command).redirectOutput(out.toFile());
        bash.environment().put("JAVA_HOME", System.getProperty("java.home"));
        bash.environment().put("SLUICE_CONTEXT", directory.resolve("contexts").toString());
        bash.start().waitFor();
        return Files.readString(out).lines().filter(line -> !line.isEmpty()).toList();
    }

    private static String program() {
        List<String> command = PackagedProgram.process().command();
        return command.get(command.size() - 1);
    }

    @Test
    void names_ofTheServer_areCompleted() throws Exception {
        Path jobs = Files.writeString(
                directory.resolve("jobs.yaml"),
                "applications: [{id: etl-1, queue: root.land, tasks: [{id: t, command: x, nodeSelector: {no: node}}]},"
                        + " {id: web-1, queue: root.diff, tasks: [{id: t, command: x, nodeSelector: {no: node}}]}]\n");
        try (TestServer server = TestServer.withNode(directory.resolve("server"), QUEUES)) {
            assertThat(server.execute("submit", jobs.toString()).exitCode()).isZero();
            Program.execute(
                    "context",
                    "set",
                    "lab",
                    server.address(),
                    "--file",
                    directory.resolve("contexts").toString());
            String node = server.execute("complete", "nodes", "--timeout", "30s")
                    .out()
                    .strip();

            assertThat(complete("why", "--timeout", "30s", "")).containsExactly("etl-1", "web-1");
            assertThat(complete("cancel", "--timeout", "30s", "w")).containsExactly("web-1");
            assertThat(complete("list", "--timeout", "30s", "--queue", "root."))
                    .containsExactly("root.land", "root.diff");
            assertThat(complete("list", "--timeout", "30s", "--partition", "")).containsExactly("default");
            assertThat(complete("list", "--timeout", "30s", "--context", "")).containsExactly("lab");
            assertThat(complete("offline", "--timeout", "30s", "")).containsExactly(node);
            assertThat(complete("get", "--server", "http://127.0.0.1:9", "")).isEmpty();
        }
    }

    @Test
    void names_withoutAServer_areEmptyWithinASecond() {
        long began = System.nanoTime();

        ProgramResult answer = Program.execute("complete", "applications", "--server", "http://10.255.255.1:9");

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(1));
        assertThat(answer).isEqualTo(new ProgramResult(0, "", ""));
    }
}
