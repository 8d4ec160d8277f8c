package dev.sluice.cli;

import static dev.sluice.cli.Program.example;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.cli.Program.ProgramResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Invalid values of every option: exit code 2 and a message that names the option or file and no Java type. Needs no
 * server, since values are checked before a request.
 */
final class BadValuesTest {

    /** Matches Java names, which no message must contain. */
    private static final String JAVA = "(?s).*(Exception|\\bjava[x]?\\.|\\bint\\b|\\blong\\b|\\bdouble\\b|\tat ).*";

    private static final String NO_SERVER = "http://127.0.0.1:9";

    /** Options with free text or values that only the server checks; other tests cover them. */
    private static final Set<String> FREE = Set.of(
            "--after",
            "--application",
            "--id",
            "--minimum-duration",
            "--name",
            "--note",
            "--oidc-audience",
            "--oidc-client",
            "--oidc-groups-claim",
            "--oidc-user-claim",
            "--notify-command",
            "--partition",
            "--queue",
            "--reason",
            "--state",
            "--tag",
            "--task",
            "--type",
            "--user");

    @TempDir
    Path directory;

    private String file = "";

    @BeforeEach
    void write() throws Exception {
        file = Files.writeString(directory.resolve("jobs.yaml"), "tasks: [{id: t, command: 'true'}]\n")
                .toString();
    }

    /** Valid arguments of a command; only the server is missing. */
    private List<String> good(String command) {
        String words = command.substring(command.indexOf(' ') + 1);
        String data = directory.resolve("data").toString();
        return switch (command) {
            case "run" ->
                List.of(command, file, "--logs", directory.resolve("logs").toString());
            case "plan", "validate" -> List.of(command, example("snapshot.yaml"));
            case "simulate" ->
                List.of(command, "--workload", example("simulate/office.yaml"), "--no-bounds", "--until", "1h");
            case "serve" -> List.of(command, "--check", "--no-node", "--port", "0", "--data", data);
            case "completion" -> List.of(command, "bash");
            case "complete" -> List.of(command, "nodes");
            case "man-pages" -> List.of(command, directory.resolve("man").toString());
            case "schema" -> List.of(command, "job");
            case "classes set" -> List.of("classes", words, "root", "a=1");
            case "classes requestors set" -> List.of("classes", "requestors", "set", "root.a=a");
            case "config rollback" -> List.of("config", words, "-y", "1");
            case "config validate", "config diff", "config apply" -> List.of("config", words, file);
            case "context set" -> List.of("context", words, "a", "b");
            case "context use", "context remove" -> List.of("context", words, "a");
            case "admin backup" ->
                List.of("admin", words, directory.resolve("backup").toString(), "--data", data);
            case "admin restore" -> List.of("admin", words, file, "--data", data);
            case "admin check" -> List.of("admin", words, data);
            case "submit" -> List.of(command, file);
            case "update" -> List.of(command, "x", "--priority", "1");
            case "get",
                    "tasks",
                    "logs",
                    "why",
                    "wait",
                    "cancel",
                    "retry",
                    "forget",
                    "hold",
                    "release",
                    "suspend",
                    "resume",
                    "offline",
                    "reinstate" -> List.of(command, "x");
            case "signal" -> List.of(command, "x", "TERM");
            case "taint" -> List.of(command, "x", "gpu:NoSchedule");
            case "token revoke" -> List.of("token", words, "x");
            case "top" -> List.of(command, "--once");
            default -> Arrays.asList(command.split(" "));
        };
    }

    /** Valid arguments with one value replaced. */
    private List<String> with(String command, CommandSpec spec, String option, String value) {
        List<String> arguments = new ArrayList<>(good(command));
        if (option.startsWith("--resume")) {
            return List.of(command, option + "=" + value);
        }
        int at = arguments.indexOf(option);
        if (at >= 0) {
            arguments.subList(at, at + 2).clear();
        }
        if (spec.findOption("--server") != null && !option.equals("--server") && !option.equals("--context")) {
            arguments.addAll(List.of("--server", NO_SERVER));
        }
        if (command.startsWith("context") && !option.equals("--file")) {
            arguments.addAll(List.of("--file", directory.resolve("context.yaml").toString()));
        }
        arguments.add(option + "=" + value);
        return arguments;
    }

    /** Values that no option of this type accepts. */
    private List<String> badValues(OptionSpec option) {
        String noDirectory = file + "/x";
        String missing = directory.resolve("missing.yaml").toString();
        Class<?> type = option.type();
        if (type == Duration.class) {
            return List.of("", "x", "5x", "-3s", "-1", "99999999999999999999");
        }
        if (type == int.class || type == Integer.class || type == long.class || type == Long.class) {
            boolean any = Set.of("--seed", "--priority").contains(option.longestName());
            return any
                    ? List.of("", "x", "1.5", "9999999999999999999999")
                    : List.of("", "x", "1.5", "-1", "9999999999999999999999");
        }
        if (type == double.class) {
            return List.of("", "x", "-1", "NaN", "99999999999999999999");
        }
        return switch (option.longestName()) {
            case "--config", "--mapping", "--notifications" -> List.of("", missing, directory.toString(), noDirectory);
            case "--workload" ->
                option.command().name().equals("history")
                        ? List.of("", directory.toString(), noDirectory)
                        : List.of("", missing, directory.toString(), noDirectory);
            case "--report" -> List.of("", directory.toString(), noDirectory);
            case "--data", "--logs", "--work", "--socket" -> List.of("", file, noDirectory);
            case "--file" -> List.of("", directory.toString());
            case "--resume", "--resume-failed" -> List.of("", directory.toString(), file, noDirectory);
            case "--password-file", "--token-file", "--ca", "--kubeconfig", "--oidc-client-secret-file" ->
                List.of("", missing);
            case "--server", "--database-url", "--notify-url", "--oidc-issuer", "--oidc-redirect" ->
                List.of("", "ftp://x", "a b");
            case "--nodes" -> List.of("", "0", "-1", "x", "3:vcore=x");
            case "--until" -> List.of("", "x", "5x", "-3s");
            default -> FREE.contains(option.longestName()) ? List.of() : List.of("", "no such thing");
        };
    }

    /** The options of a command that have a value; with {@code tested} only those that no other command had before. */
    private static List<OptionSpec> options(CommandSpec command, @Nullable Set<String> tested) {
        return command.options().stream()
                .filter(option -> option.arity().max() > 0)
                .filter(option -> tested == null || tested.add(option.longestName() + " " + option.type()))
                .toList();
    }

    @Test
    @Tag("slow")
    void value_invalidForAnyOption_exits2WithoutJavaNames() {
        assertInvalidValuesRefused(new HashSet<>());
    }

    @Tag("slow")
    @Test
    void value_invalidForAnyOptionOfAnyCommand_exits2WithoutJavaNames() {
        assertInvalidValuesRefused(null);
    }

    private void assertInvalidValuesRefused(@Nullable Set<String> tested) {
        List<String> wrong = new ArrayList<>();
        for (Map.Entry<String, CommandSpec> command : CommandModel.commands().entrySet()) {
            if (command.getKey().equals("complete")) {
                continue; // reports no errors, since it runs while the user types
            }
            for (OptionSpec option : options(command.getValue(), tested)) {
                for (String value : badValues(option)) {
                    List<String> arguments = with(command.getKey(), command.getValue(), option.longestName(), value);
                    ProgramResult answer = Program.execute(arguments.toArray(String[]::new));
                    String text = answer.out() + answer.err();
                    if (answer.exitCode() != ExitCode.BAD_INPUT
                            || text.matches(JAVA)
                            || answer.err().isBlank()) {
                        wrong.add(String.join(" ", arguments) + " exits with " + answer.exitCode() + ": " + text);
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void value_emptyForNonTextOption_isRefused() {
        assertEmptyValuesRefused(new HashSet<>());
    }

    @Tag("slow")
    @Test
    void value_emptyForNonTextOptionOfAnyCommand_isRefused() {
        assertEmptyValuesRefused(null);
    }

    private void assertEmptyValuesRefused(@Nullable Set<String> tested) {
        List<String> wrong = new ArrayList<>();
        Set<String> texts = new HashSet<>();
        for (Map.Entry<String, CommandSpec> command : CommandModel.commands().entrySet()) {
            for (OptionSpec option : options(command.getValue(), tested)) {
                if (option.paramLabel().equals("TEXT")) {
                    texts.add(option.longestName());
                } else {
                    List<String> arguments = with(command.getKey(), command.getValue(), option.longestName(), " ");
                    ProgramResult answer = Program.execute(arguments.toArray(String[]::new));
                    if (answer.exitCode() != ExitCode.BAD_INPUT || !answer.err().contains(option.longestName())) {
                        wrong.add(
                                String.join(" ", arguments) + " exits with " + answer.exitCode() + ": " + answer.err());
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(texts).containsExactlyInAnyOrder("--reason", "--note");
    }

    private static Stream<Arguments> messages() {
        return Stream.of(
                arguments(
                        "run x.yaml --grace 5x",
                        "Invalid value for option '--grace': \"5x\" has the unknown unit \"x\": expected one of d, h, m, s, ms, us"
                                + " and ns"),
                arguments("run x.yaml --slots 0", "--slots must be 1 or greater, not 0"),
                arguments("run a b", "one job file expected, found 2: write -- before a command: sluice run -- a …"),
                arguments("run --cpus 1 a", "--cpus has no effect on a job file: remove --cpus"),
                arguments("run --name n a", "--name has no effect on a job file: remove --name"),
                arguments("run --each a -- b", "--each and a command exclude each other: remove one"),
                arguments("run a -- b", "a job file and a command exclude each other: remove \"a\""),
                arguments("submit --id n a b", "--id and --name are for a single application: submit one file"),
                arguments("submit --each a b", "a job file and --each exclude each other: remove \"b\""),
                arguments("run --resume --name n", "--name has no effect when a run is resumed: remove --name"),
                arguments(
                        "run --resume --not-before +1h",
                        "--not-before has no effect when a run is resumed: remove --not-before"),
                arguments(
                        "run a --hold",
                        "--hold has no effect without a server, because nothing could release the application: use"
                                + " sluice submit --hold, or --not-before"),
                arguments(
                        "run a --after b",
                        "--after has no effect without a server: use sluice submit --after, or write after into the"
                                + " job file to order its applications"),
                arguments("run --matrix x=1 --each a", "--matrix and --each exclude each other: remove one"),
                arguments("run --matrix x -- b", "--matrix: \"x\" has no values: write x=1..10 or x=a,b"),
                arguments("run --matrix x=1 --matrix x=2 -- b", "--matrix: duplicate parameter x: remove one"),
                arguments("run --export =x a", "--export: the name of a variable is empty"),
                arguments(
                        "submit --export NOT_SET_1 -- b",
                        "environment variable NOT_SET_1 is not set: set it, or write --export NOT_SET_1=VALUE"),
                arguments("run --gpus -1 -- b", "--gpus must be 0 or greater, not -1"),
                arguments("run --retry-delay 1s -- b", "--retry-delay has no effect without retries: add --retries"),
                arguments(
                        "submit --retries 1 --retry-delay 25h -- b",
                        "--retry-delay must be greater than 0 and at most 24h"),
                arguments(
                        "update a",
                        "nothing to update: give --queue, --priority, --task-timeout, --cpus, --memory, --gpus or"
                                + " --resource"),
                arguments("update a --task-timeout 0s", "--task-timeout must be greater than 0"),
                arguments(
                        "update a --memory x",
                        "--memory: \"x\" is not a quantity: write a number with an optional unit, such as 512M or 2Gi"),
                arguments(
                        "update a --cpus 1 --resource vcore=2",
                        "--cpus and --resource vcore exclude each other: remove one"),
                arguments("run --retries -1 -- b", "--retries must be 0 or greater, not -1"),
                arguments(
                        "submit --task-timeout 0s -- b",
                        "--task-timeout must be greater than 0: remove it for no limit"),
                arguments(
                        "run --cpus 1x -- b",
                        "--cpus: \"1x\" has the unknown unit \"x\": known units are k, M, G, T, P, E,"
                                + " Ki, Mi, Gi, Ti, Pi, Ei and m"),
                arguments(
                        "serve --check --node-gpus x",
                        "--node-gpus: 'x' is not auto, none, a number (4), or indices (0,2-3; 2-2 is index 2 alone)"),
                arguments(
                        "run x.yaml --limits x",
                        "Invalid value for option '--limits': 'x' is not auto, cgroup, watch or none"),
                arguments(
                        "run x.yaml --task-output group -o json",
                        "-o json and --task-output exclude each other: remove one"),
                arguments("submit x.yaml --dry-run --wait", "--wait has no effect with --dry-run: remove one"),
                arguments(
                        "run --resume=x --dry-run", "--dry-run has no effect when a run is resumed: remove --dry-run"),
                arguments(
                        "run x.yaml --notify-url http://u:p@h/",
                        "Invalid value for option '--notify-url': 'http://u:p@h/' is not an http or https address"
                                + " without user information"),
                arguments("run --resume=x --strict", "--strict has no effect when a run is resumed: remove --strict"),
                arguments("run x.yaml --failure-lines -1", "--failure-lines must be 0 or greater, not -1"),
                arguments("serve --check --slots 0", "--slots must be 1 or greater, not 0"),
                arguments("serve --check --slots x", "Invalid value for option '--slots': \"x\" is not a whole number"),
                arguments(
                        "serve --check --slots 3000000000",
                        "Invalid value for option '--slots': \"3000000000\" is out of range: the maximum is 2147483647"),
                arguments("serve --check --port 65536", "--port must be at most 65535, not 65536"),
                arguments("serve --check --retain-ended -1", "--retain-ended must be 0 or greater, not -1"),
                arguments(
                        "serve --check --insecure --shared-account",
                        "--shared-account has no effect while the server does not verify its callers: their tasks run as"
                                + " the user of the server"),
                arguments(
                        "serve --check --rate-limit 0",
                        "--rate-limit must be none or a whole number between 1 and 1000000, not 0"),
                arguments("serve --check --oidc-role a=viewer", "--oidc-role requires --oidc-issuer"),
                arguments("serve --check --oidc-issuer https://a", "--oidc-issuer requires --oidc-audience"),
                arguments(
                        "serve --check --oidc-issuer https://a --oidc-audience b",
                        "--oidc-issuer requires --oidc-role, such as --oidc-role '*=submitter'"),
                arguments(
                        "serve --check --oidc-audience b --oidc-role *=viewer --oidc-issuer http://a",
                        "--oidc-issuer: issuer http://a must be an https address"),
                arguments("serve --check --oidc-client a", "--oidc-client requires --oidc-issuer"),
                arguments("serve --check --oidc-redirect https://a", "--oidc-redirect requires --oidc-issuer"),
                arguments(
                        "serve --check --oidc-issuer https://a --oidc-audience b --oidc-role *=viewer --oidc-scope openid",
                        "--oidc-scope requires --oidc-client"),
                arguments(
                        "serve --check --oidc-issuer https://a --oidc-audience b --oidc-role *=viewer --oidc-client c",
                        "--oidc-client requires --oidc-redirect, such as"
                                + " https://lab.example.org:7450/ui/sign-in/callback"),
                arguments(
                        "serve --check --oidc-issuer https://a --oidc-audience b --oidc-role *=viewer --oidc-client c"
                                + " --oidc-redirect https://a/ui",
                        "--oidc-client: redirect address https://a/ui must be that of the server, followed by"
                                + " /ui/sign-in/callback, such as https://lab.example.org:7450/ui/sign-in/callback"),
                arguments(
                        "serve --check --oidc-issuer https://a --oidc-audience b --oidc-role *=viewer --oidc-client c"
                                + " --oidc-redirect https://a/ui/sign-in/callback --oidc-scope profile",
                        "--oidc-client: the scopes must contain openid"),
                arguments(
                        "serve --check --oidc-issuer https://a --oidc-audience b --oidc-role *=viewer --oidc-client c"
                                + " --oidc-redirect https://a/ui/sign-in/callback --oidc-client-secret-file missing",
                        "--oidc-client-secret-file: missing does not exist"),
                arguments(
                        "token create --role root",
                        "Invalid value for option '--role': expected viewer, submitter, agent, operator or admin, not"
                                + " 'root'"),
                arguments("serve --check --password-file x", "--password-file requires --database-url"),
                arguments(
                        "simulate --workload x --time-scale y",
                        "Invalid value for option '--time-scale': \"y\" is not a number"),
                arguments(
                        "signal a STOP",
                        "signal STOP is not sent, because the scheduler would not know: use sluice suspend"),
                arguments(
                        "signal a 18",
                        "signal 18 is not sent, because the scheduler would not know: use sluice resume"),
                arguments(
                        "signal a usr3",
                        "unknown signal \"usr3\": known signals are HUP, INT, QUIT, ABRT, KILL, USR1, USR2, ALRM, TERM,"
                                + " WINCH and their numbers on Linux"),
                arguments(
                        "update a --resource memory=4Gx",
                        "--resource: \"4Gx\" has the unknown unit \"Gx\": known units are k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei"),
                arguments(
                        "run --secret A=b -- true",
                        "--secret takes names: set the environment variable, and write its name;"
                                + " values of options are visible to other users"),
                arguments(
                        "submit --secret a-b -- true",
                        "--secret: \"a-b\" is not a valid name of a secret: use letters,"
                                + " digits and _, and no digit first"),
                arguments(
                        "run --secret NO_SUCH_VARIABLE -- true",
                        "environment variable NO_SUCH_VARIABLE is not set: set it" + " to the secret"),
                arguments(
                        "run --resume --secret HOME", "--secret has no effect when a run is resumed: remove --secret"),
                arguments("list --limit 0", "--limit must be 1 or greater, not 0"),
                arguments("logs a --tail -1", "--tail must be 0 or greater, not -1"),
                arguments("classes set root --threshold -1", "--threshold must be 0 or greater, not -1"),
                arguments("throttle -- -1", "the limit must be a number of 0 or more, or none; not -1"));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void value_invalid_isExplained(String command, String message) {
        ProgramResult answer = Program.execute(command.split(" "));

        assertThat(answer.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(answer.err()).startsWith("sluice: " + message + "\n");
        assertThat(answer.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--logs=x",
                "--log-max=1M",
                "--grace=1s",
                "--limits=none",
                "--fail-fast",
                "--task-output=group",
                "--failure-lines=1",
                "-v",
                "-q"
            })
    void optionOfRunningTasks_inDryRun_isRefused(String option) {
        ProgramResult answer = Program.execute("run", "--dry-run", option, "--", "true");

        assertThat(answer.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(answer.err()).contains(" has no effect with --dry-run: remove one\n");
    }

    @Test
    void optionOfTheNode_withoutANode_isRefused() {
        assertThat(Program.execute("serve", "--check", "--no-node", "--slots", "2")
                        .err())
                .startsWith("sluice: --slots has no effect with --no-node");
        assertThat(Program.execute("serve", "--check", "--no-node", "--work", "w")
                        .err())
                .startsWith("sluice: --work has no effect with --no-node");
        assertThat(Program.execute("serve", "--check", "--no-node", "--shared-account")
                        .err())
                .startsWith("sluice: --shared-account has no effect with --no-node");
        assertThat(Program.execute("serve", "--check", "--no-node", "--node-gpus", "1")
                        .err())
                .startsWith("sluice: --node-gpus has no effect with --no-node");
        assertThat(Program.execute("serve", "--check", "--kubernetes", "--slots", "2")
                        .err())
                .startsWith("sluice: --slots has no effect with --kubernetes: remove one of them");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --kubeconfig x                  | --kubeconfig has no effect without --kubernetes: add it
            --scheduler-name x              | --scheduler-name has no effect without --kubernetes: add it
            --kubernetes --kubeconfig none  | --kubernetes: cannot read none
            --kubernetes --kubeconfig @bad  | --kubernetes: @bad is not a kubeconfig file
            --kubernetes --scheduler-name A | --scheduler-name A: must be a name such as sluice
            --standby                       | --standby requires --database-url
            --lease a                       | --lease requires --kubernetes
            --kubernetes --lease a          | --lease requires --database-url
            --lease A                       | --lease A: must be a name such as sluice
            --lease-duration 5s             | --lease-duration has no effect without --lease: add it
            --lease-pod p                   | --lease-pod has no effect without --lease: add it
            --lease a --lease-pod P         | --lease-pod P: must be the name of a pod
            --lease a234567890123456789012345678901234567890123456789012345678901234 --lease-pod p | --lease a234567890123456789012345678901234567890123456789012345678901234: must have at most 63 characters
            --kubernetes --database-url postgresql://h/d --lease a --lease-duration 2s | --lease-duration must be at least 3s
            --database-url postgresql://h/d --lease a --standby | --standby and --lease exclude each other: remove one
            --task-namespace x | --task-namespace has no effect without --kubernetes: add it
            --kubernetes --task-service-account x | --task-service-account has no effect without --task-namespace: add it
            --kubernetes --unrestricted-pods | --unrestricted-pods has no effect without --task-namespace: add it
            --kubernetes --pod-start-timeout 1m | --pod-start-timeout has no effect without --task-namespace: add it
            --kubernetes --task-namespace a --pod-start-timeout x | Invalid value for option '--pod-start-timeout'
            --kubernetes --keep-pods 1m | --keep-pods has no effect without --task-namespace: add it
            --kubernetes --task-namespace A_ | --task-namespace A_: must be a name such as sluice
            --kubernetes --task-namespace a --task-service-account A | --task-service-account A: must be a name such as sluice
            --kubernetes --task-namespace a --keep-pods x | Invalid value for option '--keep-pods'
            """)
    void optionsOfKubernetes_wrong_areRefused(String options, String problem) throws IOException {
        Path bad = directory.resolve("bad");
        Files.writeString(bad, "clusters: 3\n");
        List<String> arguments = new ArrayList<>(
                List.of("serve", "--check", "--data", directory.resolve("data").toString()));
        for (String option : options.split(" ")) {
            arguments.add(option.replace("@bad", bad.toString()));
        }
        ProgramResult answer = Program.execute(arguments.toArray(String[]::new));

        assertThat(answer.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(answer.err()).startsWith("sluice: " + problem.replace("@bad", bad.toString()));
    }

    @Test
    void addressesOfServer_unsafeOrIncomplete_areRefused() {
        assertServeRefused(
                "--listen 0.0.0.0 --insecure", "without credentials (--insecure) the server listens on the loopback");
        assertServeRefused("--listen 0.0.0.0", "connections to 0.0.0.0 must be encrypted");
        assertServeRefused("--listen lab", "\"lab\" is not an IP address");
        assertServeRefused("--tls-key k", "--tls-key requires --tls-certificate");
        assertServeRefused("--tls-certificate c", "--tls-certificate requires --tls-key");
        assertServeRefused("--socket " + "s".repeat(108), "more than 107 bytes");
        assertServeRefused(
                "--insecure --oidc-issuer https://a --oidc-audience a --oidc-role *=viewer",
                "--insecure and --oidc-issuer exclude each other");
        assertServeRefused("--listen 192.0.2.1 --tls-certificate c --tls-key k", "cannot read c: NoSuch");
    }

    private void assertServeRefused(String options, String message) {
        List<String> arguments = new ArrayList<>(good("serve"));
        arguments.addAll(Arrays.asList(options.split(" ")));
        ProgramResult answer = Program.execute(arguments.toArray(String[]::new));
        assertThat(answer.exitCode()).as(options).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(answer.err()).as(options).startsWith("sluice: ").contains(message);
    }

    @Test
    void notifications_invalid_areReportedWithTheirPlace() throws Exception {
        String data = directory.resolve("data").toString();
        Path notifications = Files.writeString(directory.resolve("n.yaml"), "targets:\n- {name: a, comand: x}\n");
        String[] serve = {
            "serve", "--check", "--no-node", "--port", "0", "--data", data, "--notifications", notifications.toString()
        };
        ProgramResult unknown = Program.execute(serve);
        assertThat(unknown.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(unknown.err())
                .contains(notifications + ":2:13: error: unknown key \"comand\" of a target: did you mean"
                        + " \"command\"? (see docs/reference/notifications.md)\n  2 | - {name: a, comand: x}\n");

        Files.writeString(
                notifications, "targets: [{name: a, webhook: {url: 'http://h/', secret: {env: SLUICE_NOT_SET}}}]");
        ProgramResult missing = Program.execute(serve);
        assertThat(missing.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(missing.err())
                .isEqualTo("sluice: cannot start: target \"a\" of the notifications: environment variable"
                        + " SLUICE_NOT_SET is not set\n");
    }

    @Test
    void ui_openedAndNotOpened_isRefused() {
        ProgramResult answer = Program.execute("ui", "--open", "--no-open");
        assertThat(answer.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(answer.err()).isEqualTo("sluice: --open has no effect with --no-open: remove one\n");
    }

    @Test
    void notification_ofDryRun_isRefused() {
        assertThat(Program.execute("run", file, "--dry-run", "--notify-command", "true")
                        .err())
                .isEqualTo("sluice: --notify-command has no effect with --dry-run: remove one\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"health", "snapshot", "audit", "config show", "token list", "ui"})
    void partition_ofCommandForWholeServer_isRefused(String command) {
        ProgramResult answer = Program.execute((command + " --partition=gpu").split(" "));

        assertThat(answer.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(answer.err()).startsWith("sluice: Unknown option: '--partition=gpu'");
    }

    @Test
    void parameter_empty_isRefused() {
        assertThat(Program.execute("get", "").err()).startsWith("sluice: APP must not be empty\n");
        assertThat(Program.execute("submit", file, "").err()).startsWith("sluice: FILE must not be empty\n");
        assertThat(Program.execute("run", "--", "").err())
                .isEqualTo("sluice: the command after -- is empty: add a program\n");
        assertThat(Program.execute("run", "").exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    }

    @Test
    void resume_withOptionsOfNewRun_isRefused() {
        for (String option : List.of("--config", "--logs")) {
            assertThat(Program.execute("run", "--resume=x", option, file).err())
                    .isEqualTo("sluice: " + option + " has no effect when a run is resumed: remove " + option + "\n");
        }
        assertThat(Program.execute("run", "--resume-failed=x", "--slots", "2").err())
                .isEqualTo("sluice: --slots has no effect when a run is resumed: remove --slots\n");
        assertThat(Program.execute("run", "--resume=x", file).err())
                .isEqualTo("sluice: FILE has no effect when a run is resumed: remove FILE"
                        + " (the journal contains the jobs)\n");
        assertThat(Program.execute("run", "--resume=x", "--resume-failed=x").err())
                .isEqualTo("sluice: --resume and --resume-failed exclude each other: remove one\n");
        assertThat(Program.execute("run").err()).startsWith("sluice: Missing required parameter: 'FILE'\n");
    }

    @Test
    void directory_notCreatable_isReportedWithReason() {
        String noDirectory = file + "/x";

        assertThat(Program.execute("run", file, "--logs", file).err())
                .isEqualTo("sluice: cannot create the log folder: " + file + ": not a directory\n");
        assertThat(Program.execute("run", file, "--logs", noDirectory).err())
                .isEqualTo("sluice: cannot create the log folder: " + file + ": not a directory\n");
        assertThat(Program.execute("context", "set", "a", "b", "--file", noDirectory)
                        .err())
                .isEqualTo("sluice: cannot write " + noDirectory + ": " + file + ": not a directory\n");
    }
}
