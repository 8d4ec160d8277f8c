package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.runtime.file.UserFolders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.ObjectMapper;

/**
 * Runs every command of the packaged program with every option and parameter at least once, against one packaged
 * server. A command or option without a line here fails the test, except {@code --help} and {@code --version}, see
 * {@link SluiceTest}. Each line is a process, so other tests cover the details within one JVM.
 */
@ProgramTest
final class EveryCommandTest {

    /** Command lines with exit code and expected output; words starting with @ are files or addresses. */
    private static final String LINES = """
            # exit code, or - if it goes on until it is killed | command line | what is printed
            0 | --version | sluice \\d
            0 | --help | Usage: sluice
            0 | schema job | "title": "Sluice job file"
            0 | completion bash | _complete_sluice
            0 | man-pages @man | man pages to
            0 | complete nodes | @node
            0 | validate --config @queues.yaml -o json --color never @jobs.yaml | "valid"
            0 | plan --all --config @queues.yaml -o json --color never @snapshot.yaml | "start"
            0 | run --all --color never --config @queues.yaml --failure-lines 3 --fail-fast --grace 1s --log-max 1Mi --logs @logs -o json -q --slots 2 @one.yaml | "state": "Completed"
            0 | run --node-gpus 0,2-3 --limits watch -q --config @queues.yaml @one.yaml | first
            0 | run -v --task-output prefix --config @queues.yaml @one.yaml | first/t \\| done
            0 | run -q --notify-command true --notify-url http://127.0.0.1:9/ --config @queues.yaml @one.yaml | warning: --notify-url failed: cannot connect
            0 | run --dry-run --strict --config @queues.yaml @one.yaml | Start: 1 task
            0 | run --dry-run --not-before +1h --config @queues.yaml @one.yaml | not-before
            2 | run --hold @one.yaml | submit --hold
            2 | run --after first @one.yaml | submit --after
            0 | run --resume | first
            0 | run --cpus 500m --memory 1Mi --gpus 0 --queue root.land --retries 1 --retry-delay 1s --task-timeout 1m --name made --config @queues.yaml --each @commands.txt | made
            0 | run --resume-failed @logs | first
            0 | run -q --export A=b --matrix n=1..2 --matrix s=a,b --queue root.land --config @queues.yaml -- echo {n} {s} | 4/4
            0 | run -q --secret HOME --queue root.land --config @queues.yaml -- true | 1/1
            0 | submit -q --scratch --export A=b --secret HOME --matrix n=1..2 --server @server --queue root.land -- echo {n} | echo-
            0 | simulate --workload @sim.yaml --config @queues.yaml --all --color never --nodes 4 --until 7d --report @report.html --seed 1 --time-scale 0.5 -o table | Report:
            0 | simulate --workload @sim.yaml --config @queues.yaml --nodes 2..8/2 --enough makespan<=365d --repetitions 2 -q | Enough for makespan <= 365d
            1 | simulate --workload @sim.yaml --config @queues.yaml --nodes 2..8/2 --enough makespan<1ms -q | the largest, is not enough
            0 | simulate --workload @table.csv --mapping @mapping.yaml --nodes 4 --malformed-max 2 --gangs --no-bounds -q -o json | "runs"
            0 | serve --check --accept-loss --color never --config @queues.yaml --data @checked --grace 1s --keep-history 2d --keep-journal 1d -o table --partition default --port 0 --retain-ended 10 --slots 2 --checkpoint-events 1000 --stop-tasks --work @work --log-max 1Mi --adopt --node-gpus 2 --limits none --insecure @if-root --allow-root --notifications @notify.yaml | listening on
            2 | serve --check --no-node --port 0 --data @unused --database-url postgresql://u@127.0.0.1:9/x --password-file @password | refused
            0 | serve --check --no-node --data @secured --port 0 --oidc-issuer http://127.0.0.1:9 --oidc-audience sluice --oidc-user-claim email --oidc-groups-claim roles --oidc-role *=viewer --oidc-client page --oidc-client-secret-file @password --oidc-redirect http://127.0.0.1:7450/ui/sign-in/callback --oidc-scope openid,email --rate-limit 500 | listening on
            0 | serve --check --no-node --data @secured --port 0 --insecure --listen 127.0.0.1 --socket @socket --host-name lab.example.org,lab --trusted-proxies portal | warning: --insecure: everyone on this machine .* and unix:
            2 | serve --check --no-node --data @secured --port 0 --tls-certificate @password --tls-key @password | no certificates
            2 | serve --check --port 0 --data @unused --insecure --shared-account --allow-root | does not verify its callers
            2 | serve --check --port 0 --data @unused --kubernetes --kubeconfig @unused --scheduler-name sluice,yunikorn --config-namespace sluice | sluice: --kubernetes:
            2 | serve --check --port 0 --data @unused --kubernetes --kubeconfig @unused --lease sluice --lease-duration 5s --lease-pod sluice-0 --database-url postgresql://u@127.0.0.1:9/x | sluice: --lease:
            2 | serve --check --no-node --port 0 --data @unused --database-url postgresql://u@127.0.0.1:9/x --standby | refused
            2 | serve --check --port 0 --data @unused --kubernetes --kubeconfig @unused --task-namespace tasks --task-service-account a,b --unrestricted-pods --pod-start-timeout 10m --keep-pods 1h | sluice: --kubernetes:
            0 | admin check @checked | no problems found
            0 | admin backup --no-logs --data @checked @backup.tar.gz | wrote.*not included: .*secrets.key
            0 | admin restore @backup.tar.gz --data @restored | restored
            2 | admin restore @backup.tar.gz --data @restored | is not empty
            0 | context set lab @server --partition default --file @contexts |
            0 | context set other @server --file @contexts --token-file @token |
            0 | context set third https://lab.example.org --file @contexts --ca @password |
            0 | list --ca @ca | --ca has no effect on unix:
            0 | context use lab --file @contexts |
            0 | context list --color never --file @contexts | lab
            0 | context remove other --file @contexts |
            0 | health | is up
            0 | health --context lab | is up
            1 | token list --token-file @token | unknown, expired or revoked
            0 | token create --user ada --role viewer --expires 1d --name laptop | slc_
            0 | token list | laptop
            0 | ui --no-open | /ui/sign-in\\?code=
            2 | ui --open --no-open | remove one
            1 | token revoke 0 | token 0 not found
            0 | submit --dry-run @one.yaml | first
            0 | submit -q --strict @one.yaml | first
            0 | submit -q --hold --not-before +1s @blocked.yaml | blocked
            0 | submit --wait --after first:ended @two.yaml | second
            0 | submit -q --id third --name again @two.yaml | third
            0 | submit --cpus 500m --memory 1Mi --gpus 0 --queue root.land --retries 1 --retry-delay 1s --task-timeout 1m --name made --each @commands.txt | made-
            0 | wait first --for ended | Completed
            0 | list --queue root.land --user ada --tag nightly --ended --limit 5 | first
            0 | retry --all first | Accepted
            0 | wait first --for ended | Completed
            0 | history --queue root.land --user ada --state completed --name first --from 1d --to 9998-01-01 --limit 5 --sort=-duration -o csv | first
            0 | history --month 2999-01 --zone Europe/Berlin | no applications
            0 | audit --user ada --from 1d --to 9998-01-01 --limit 5 -o csv | at,user
            0 | audit --month 2999-01 --zone Europe/Berlin | no requests
            0 | history --from 2026-01-01 --workload @week.yaml |
            0 | usage --by queue,user,application,node --from 1d --to 9998-01-01T00:00:00Z -o csv | root.land,ada,first
            0 | usage --month 2999-01 --zone +01:00 -o json | "total"
            0 | list --all --sort newest | blocked
            0 | list --state running | no applications
            0 | list --all | blocked
            0 | get first | Completed
            0 | tasks first --state succeeded --limit 1 | succeeded
            0 | logs first t -n 1 | done
            0 | logs -f first t | done
            0 | why blocked t | held
            0 | why blocked --past |
            0 | top --once --every 1s | root
            0 | queues | root.land|land
            0 | nodes --state ready | @node
            0 | offline @node | offline
            0 | reinstate @node | ready
            0 | taint @node gpu=yes:PreferNoSchedule drain:NoSchedule | gpu=yes:PreferNoSchedule, drain:NoSchedule
            0 | taint @node drain- gpu:PreferNoSchedule- | no taints
            0 | throttle 100 | at most 100
            0 | classes get root | land
            0 | classes set root land=70 diff=30 | 70
            0 | classes set root --threshold 20 --minimum-duration 5m | 20 percentage points
            0 | classes requestors set root.land=^ada | ada
            0 | classes requestors get | ada
            0 | classes requestors clear |
            0 | config show 1 | load.percent
            0 | config validate @other.yaml | valid
            1 | config diff --exit-code @other.yaml | \\+\\+\\+
            1 | config apply -y --basis 999 @other.yaml | based on revision 999
            0 | config apply -y --note more @other.yaml | is now in effect
            0 | config history --limit 5 | more
            0 | config rollback -y 1 | is now in effect
            0 | config rollback -y --note back 2 | is now in effect
            0 | release blocked | Accepted
            0 | hold blocked | Accepted, held
            0 | suspend blocked | Accepted, held
            0 | resume blocked | Accepted
            1 | suspend blocked t | task t cannot be suspended: it is not running
            1 | resume blocked t | task t cannot be resumed: it is not running
            1 | signal blocked SIGUSR1 t | sent USR1 to 0 tasks
            0 | update blocked --task t --queue root.land --priority 5 --task-timeout 1h --cpus 1 --memory 1Mi --gpus 0 --resource licence=0 --strict | Accepted
            0 | cancel blocked | blocked
            0 | forget blocked | forgot 1 application
            0 | forget --older 1d --yes | forgot 0 applications
            1 | cancel first nobody --reason again | nobody
            0 | cancel --queue root.land --user ada --tag nightly --state accepted --yes | cancelled 0 applications
            0 | cancel --all --yes --reason over | cancelled
            0 | events --after 0 --application first --type task | task.ended
            - | events -f --last 3 | \\d
            0 | snapshot | partitions
            """;

    /** Options added to commands that query a server, unless the line has them. */
    private static final Map<String, String> EVERYWHERE = Map.of(
            "--server",
            "@server",
            "--context",
            "lab",
            "--partition",
            "default",
            "--timeout",
            "60s",
            "--token-file",
            "@other-token",
            "--ca",
            "@ca",
            "--color",
            "never");

    private record Line(String exitCode, List<String> words, String printed) {

        static Line of(String text) {
            String[] parts = text.replaceAll(UserFolders.isRoot() ? "@if-root " : "@if-root \\S+ ", "")
                    .split(" \\| ?", 3);
            return new Line(parts[0], List.of(parts[1].split(" ")), parts[2].strip());
        }

        static ParseResult parsed(List<String> words) {
            String[] arguments = words.toArray(String[]::new);
            ParseResult parsed = Sluice.commandLine(arguments).parseArgs(arguments);
            while (parsed.hasSubcommand()) {
                parsed = parsed.subcommand();
            }
            return parsed;
        }

        /** The words and the options added for the server. */
        List<String> whole() {
            List<String> whole = new ArrayList<>(words);
            CommandSpec command = parsed(words).commandSpec();
            boolean asks = command.findOption("--timeout") != null;
            EVERYWHERE.forEach((option, value) -> {
                boolean says = words.contains("--")
                        || words.contains(option)
                        || (option.equals("--server") && words.contains("--context"));
                if (asks && !says && command.findOption(option) != null) {
                    whole.addAll(List.of(option, value));
                }
            });
            return whole;
        }
    }

    @TempDir
    Path directory;

    private static List<Line> lines() {
        return LINES.lines().filter(line -> !line.startsWith("#")).map(Line::of).toList();
    }

    private void write(String name, String text) throws Exception {
        Files.writeString(directory.resolve(name), text);
    }

    private void writeFiles() throws Exception {
        String queues = """
                partitions:
                  - name: default
                    queues:
                      - name: root
                        properties: {queue.share.policy: load}
                        queues:
                          - {name: land, properties: {load.percent: "60"}}
                          - {name: diff, properties: {load.percent: "40"}}
                """;
        write("queues.yaml", queues);
        write("other.yaml", queues.replace("60", "50").replace("40", "50"));
        String job = "{id: %s, user: ada, tag: nightly, queue: root.land, tasks: [{id: t, command: 'echo done'%s}]}\n";
        write("one.yaml", job.formatted("first", ""));
        write("two.yaml", job.formatted("second", ""));
        write("jobs.yaml", job.formatted("other", ""));
        write("commands.txt", "true\n");
        write("blocked.yaml", job.formatted("blocked", ", nodeSelector: {no: node}"));
        write("snapshot.yaml", """
                at: 2026-01-01T12:00:00Z
                nodes: [{name: n, capacity: {slots: 2}}]
                applications: [{id: a, queue: root.land, tasks: [{id: t, count: 3}]}]
                """);
        write("sim.yaml", """
                at: 2026-01-05T08:00:00Z
                applications: [{id: a, queue: root.land, user: eve, tasks: [{id: t, count: 8, resources: {vcore: 1}, duration: 1h}]}]
                """);
        write("table.csv", "id,submit,run,cores\n1,0,60,1\n2,5,60,2\n");
        write("mapping.yaml", "applications: {submitted: submit, duration: run, resources: {vcore: cores}}\n");
        write("ca", "unused\n");
        write("notify.yaml", "targets: [{name: a, command: 'true'}]\n");
        write("password", "secret\n");
        write("token", "slc_unknown\n");
        Files.createDirectory(directory.resolve("checked"));
        write("checked/secrets.key", "0123456789abcdef0123456789abcdef\n");
    }

    /** Replaces placeholders by files and names. */
    private String[] arguments(List<String> words, String server, String node) {
        return words.stream()
                .map(word -> switch (word) {
                    case "@server" -> server;
                    case "@node" -> node;
                    default ->
                        word.startsWith("@")
                                ? directory.resolve(word.substring(1)).toString()
                                : word;
                })
                .toArray(String[]::new);
    }

    /** Runs a line; returns an empty text on success, else the output. */
    private String run(Line line, String printed, String... arguments) throws Exception {
        ProcessBuilder builder = PackagedProgram.process(arguments);
        builder.environment()
                .put("SLUICE_CONTEXT", directory.resolve("contexts").toString());
        Path out = directory.resolve("out");
        Process process = builder.directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        boolean isKilled = line.exitCode().equals("-");
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(10))
                .until(() ->
                        !process.isAlive() || (isKilled && Files.readString(out).matches(printed)));
        String exitCode = process.isAlive() ? "-" : String.valueOf(process.exitValue());
        process.destroyForcibly().waitFor();
        String text = Files.readString(out);
        return exitCode.equals(line.exitCode()) && text.matches(printed) && !text.contains("Exception")
                ? ""
                : String.join(" ", arguments) + " exits with " + exitCode + ":\n" + text;
    }

    @Test
    @Tag("slow")
    void program_packaged_acceptsEveryCommandAndOption() throws Exception {
        writeFiles();
        List<String> wrong = new ArrayList<>();
        String queues = Files.readString(directory.resolve("queues.yaml"));
        try (TestServer server = TestServer.withNode(directory.resolve("server"), queues)) {
            String node = new ObjectMapper()
                    .readTree(server.execute("nodes", "-o", "json").out())
                    .at("/0/name")
                    .asString();
            write(
                    "other-token",
                    server.execute("token", "create", "--role", "admin").out());
            for (Line line : lines()) {
                String printed = "(?s).*(" + line.printed().replace("@node", Pattern.quote(node)) + ").*";
                wrong.add(run(line, printed, arguments(line.whole(), server.address(), node)));
            }
        }
        assertThat(wrong).containsOnly("");
    }

    @Test
    void lines_coverEveryCommandOptionAndParameter() {
        TreeSet<String> missing = new TreeSet<>();
        CommandModel.commands().forEach((words, command) -> {
            for (ArgSpec argument : command.args()) {
                boolean standard = argument instanceof OptionSpec option
                        && (option.usageHelp()
                                || option.versionHelp()
                                || option.longestName().equals("--output"));
                if (!standard) {
                    missing.add(words + " " + CommandModel.name(argument));
                }
            }
            missing.add(words);
        });
        for (Line line : lines()) {
            ParseResult parsed = Line.parsed(line.whole());
            String words = parsed.commandSpec().qualifiedName().replace("sluice ", "");
            missing.remove(words);
            parsed.matchedArgs().forEach(argument -> missing.remove(words + " " + CommandModel.name(argument)));
        }
        assertThat(missing).as("without a line in this test").isEmpty();
    }
}
