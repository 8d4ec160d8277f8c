package dev.sluice.cli;

import dev.sluice.cli.client.ApiPath;
import dev.sluice.cli.client.ClientException;
import dev.sluice.cli.client.Contexts;
import dev.sluice.cli.client.ServerContext;
import dev.sluice.cli.client.ServerOptions;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/**
 * Prints completion candidates, one per line, for the completion script. It prints nothing and reports no error if the
 * server does not answer in time: a user who presses Tab must not wait.
 */
@Command(
        name = "complete",
        hidden = true,
        description = "Print completion candidates",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        footerHeading = ServerCommand.EXAMPLES,
        footer = {"  sluice complete applications", "", "Exit codes: 0 success, even without candidates."})
final class CompleteCommand implements Callable<Integer> {

    /** Default time limit; together with the start of the JVM at most a second. */
    private static final Duration TIMEOUT = Duration.ofMillis(600);

    private static final int CANDIDATES_MAX = 1000;

    /** Names that a shell does not interpret; others are not offered. */
    private static final String SAFE = "[\\p{L}\\p{N}._@/+-]+";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Parameters(
            paramLabel = "KIND",
            description = "applications, active-applications, queues, nodes, partitions or contexts.")
    private String kind = "";

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        candidates().stream().filter(each -> each.matches(SAFE)).distinct().forEach(out::println);
        out.flush();
        return ExitCode.OK;
    }

    private List<String> candidates() throws InterruptedException {
        CompletableFuture<List<String>> found = background(this::find);
        try {
            return found.get(limit().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException none) {
            return List.of();
        }
    }

    private Duration limit() {
        Duration timeout = server.timeout();
        return timeout == null ? TIMEOUT : timeout;
    }

    private static CompletableFuture<List<String>> background(Supplier<List<String>> lookup) {
        return CompletableFuture.supplyAsync(lookup, task -> {
            Thread thread = new Thread(task, "complete");
            thread.setDaemon(true);
            thread.start();
        });
    }

    private List<String> find() {
        try {
            return switch (kind) {
                case Candidates.ACTIVE_APPLICATIONS -> applications("active");
                case Candidates.APPLICATIONS -> {
                    CompletableFuture<List<String>> ended = background(() -> applications("ended"));
                    List<String> all = new ArrayList<>(applications("active"));
                    all.addAll(ended.join());
                    yield all;
                }
                case Candidates.QUEUES -> names(get(server.inPartition("queues")), "path");
                case Candidates.NODES -> names(get(server.inPartition("nodes")), "name");
                case Candidates.PARTITIONS -> names(get(ApiPath.of("partitions")), "name");
                case Candidates.CONTEXTS ->
                    Contexts.read(Contexts.file(System.getenv(), System.getProperty("user.home", ""))).all().stream()
                            .map(ServerContext::name)
                            .toList();
                default -> List.of();
            };
        } catch (ClientException | CompletionException none) {
            return List.of();
        }
    }

    private List<String> applications(String state) {
        return names(
                get(server.inPartition("applications").with("state", state).with("limit", CANDIDATES_MAX))
                        .path("items"),
                "id");
    }

    private JsonNode get(ApiPath path) {
        return server.client(limit()).get(path).tree();
    }

    private static List<String> names(JsonNode list, String field) {
        List<String> names = new ArrayList<>();
        list.forEach(each -> names.add(each.path(field).asString("")));
        return names;
    }
}
