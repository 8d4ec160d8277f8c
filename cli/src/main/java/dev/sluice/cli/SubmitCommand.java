package dev.sluice.cli;

import dev.sluice.cli.CommandOptions.CommandSource;
import dev.sluice.cli.answer.ApplicationTables;
import dev.sluice.cli.answer.Texts;
import dev.sluice.cli.client.ApiPath;
import dev.sluice.cli.client.ApplicationWaiter;
import dev.sluice.cli.client.ClientJson;
import dev.sluice.cli.client.ServerClient;
import dev.sluice.cli.client.ServerRequest;
import dev.sluice.cli.source.SourceFile;
import dev.sluice.cli.terminal.TextTable;
import dev.sluice.cli.terminal.TextTable.Cell;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.server.api.ApplicationView;
import dev.sluice.server.api.DryRunView;
import dev.sluice.server.api.SubmissionResult;
import dev.sluice.server.api.SubmissionResults;
import dev.sluice.server.api.WaitView;
import dev.sluice.server.route.ProblemDetails;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Submits commands or the applications of job files to a server. */
@Command(
        name = "submit",
        description = {
            "Submit commands or job files to a server",
            "",
            "What follows -- is one command. --each submits every line of a file as a shell command. Both make one"
                    + " application.",
            "",
            "An application without an id gets its name and the next number as its id, such as night-17, so that the"
                    + " same file can be submitted again. A file with one application may have neither id nor name;"
                    + " its name is then that of the file.",
            "",
            "Each application is accepted or rejected on its own. Applications without a partition go to --partition or"
                    + " the context's partition. Partitions, nodes and queue usage in a file are ignored: the server has"
                    + " its own.",
            "",
            "Tasks run in the current folder, with PATH and HOME of this terminal and the variables of --export; a"
                    + " relative 'directory' in a file is below it. --scratch is for servers on other machines.",
            "",
            "Submission is idempotent: if the connection is lost, the file is sent again and submitted only once."
        },
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice submit jobs.yaml",
            "  sluice submit jobs.yaml --wait",
            "  sluice submit report.yaml --after night-17 --not-before 2026-12-01T02:00",
            "  generate-jobs | sluice submit -",
            "  sluice submit --memory 4Gi -- python train.py --lr 0.1",
            "  sluice submit --each commands.txt --retries 1",
            "  sluice submit --name night nightly.yaml      # night-1, night-2 and so on",
            "  id=$(sluice submit -q job.yaml) && sluice logs -f \"$id\"",
            "",
            "Exit codes: 0 all accepted (--wait: and completed), 1 one was rejected (--wait: or did not complete), 2 bad"
                    + " input, 3 no server or unavailable, 130 interrupted (submitted applications continue)."
        })
final class SubmitCommand extends ServerCommand {

    private static final String STANDARD_INPUT_NAME = "stdin";

    @Parameters(
            paramLabel = "FILE",
            arity = "0..*",
            description = "Job files; - is standard input. Or, after --, a command and its arguments.")
    private List<String> words = List.of();

    @Mixin
    private CommandOptions commands = new CommandOptions();

    @Mixin
    private ExportOptions exports = new ExportOptions();

    @Option(
            names = "--id",
            paramLabel = "ID",
            description = "Id of the only application. Default: that in the file, or its name and a number.")
    private @Nullable String id;

    @Option(names = "--scratch", description = "Run tasks in their scratch folders with PATH and HOME of the server.")
    private boolean scratch;

    @Option(
            names = {"-w", "--wait"},
            description = "Wait until all applications have ended.")
    private boolean wait;

    @Option(
            names = "--dry-run",
            description = "Submit nothing; show what the server would start at once, what would wait and why.")
    private boolean dryRun;

    @Option(
            names = "--strict",
            description =
                    "Warnings as errors: a file with a warning, such as a resource that no node has, is not submitted.")
    private boolean strict;

    @Option(names = "--hold", description = "Submit all applications held: they start when released.")
    private boolean hold;

    @Option(
            names = "--not-before",
            paramLabel = "TIME",
            description = "When tasks may start: local time such as 2026-12-01T02:00, an instant, or +2h.")
    private @Nullable Instant notBefore;

    @Option(
            names = "--after",
            paramLabel = "APP[:CONDITION]",
            split = ",",
            completionCandidates = Candidates.ActiveApplications.class,
            description = "Start after these applications have succeeded; also :failed or :ended.")
    private List<String> after = List.of();

    @Option(
            names = {"-q", "--quiet"},
            description = "Only the ids of accepted applications.")
    private boolean quiet;

    @Override
    public Integer call() {
        if (dryRun && wait) {
            throw new UserException("--wait has no effect with --dry-run: remove one");
        }
        CommandSource job = commands.source(spec(), words, output());
        if (job == null && words.isEmpty()) {
            throw new MissingParameterException(
                    spec().commandLine(), spec().positionalParameters().get(0), "Missing required parameter: 'FILE'");
        }
        if (job == null && words.size() > 1 && (id != null || commands.name() != null)) {
            throw new UserException("--id and --name are for a single application: submit one file");
        }
        List<SourceFile> sources = job == null
                ? words.stream().map(file -> SourceFile.named(file, System.in)).toList()
                : List.of(job.file());
        List<String> texts = sources.stream().map(this::text).toList();
        String variables = ExportOptions.encoded(variables());
        ServerClient client = client();
        ArrayNode answers = ClientJson.list();
        List<SubmissionResult> results = new ArrayList<>();
        for (int i = 0; i < sources.size(); i++) {
            JsonNode answer = submit(client, sources.get(i), texts.get(i), variables);
            answer.path("results").forEach(answers::add);
            SubmissionResults submitted = ClientJson.value(answer, SubmissionResults.class);
            if (submitted.warnings() != null) {
                print(sources.get(i), List.of(), submitted.warnings());
            }
            results.addAll(submitted.results());
        }
        boolean good = results.stream().allMatch(SubmissionResult::accepted);
        if (wait) {
            return follow(client, results) && good ? ExitCode.OK : ExitCode.FAILED;
        }
        if (quiet) {
            results.stream()
                    .filter(SubmissionResult::accepted)
                    .forEach(result -> out().println(TextWidth.printable(result.id())));
            out().flush();
        } else {
            show(answers, () -> {
                if (dryRun) {
                    planTable(results);
                } else {
                    table(results);
                }
            });
        }
        printRejected(results);
        return good ? ExitCode.OK : ExitCode.FAILED;
    }

    private JsonNode submit(ServerClient client, SourceFile source, String text, String variables) {
        String name = source.name().equals(SourceFile.STANDARD_INPUT) ? STANDARD_INPUT_NAME : source.name();
        ApiPath path = ApiPath.of("submissions")
                .with("file", name)
                .with("id", id)
                .with("name", commands.name())
                .with("strict", strict ? "true" : null)
                .with("directory", scratch ? null : Path.of("").toAbsolutePath())
                .with("after", after.isEmpty() ? null : String.join(",", after))
                .with("hold", hold ? "true" : null)
                .with("notBefore", notBefore == null ? null : notBefore.toString())
                .with("dryRun", dryRun ? "true" : null);
        String partition = server().partition();
        boolean isDefault = partition.equals(PartitionConfiguration.DEFAULT_NAME);
        ServerRequest request = ServerRequest.post(
                        isDefault ? path : path.with("partition", partition), ServerRequest.YAML, text)
                .withHeader(ServerClient.VARIABLES_HEADER, variables)
                .once();
        String secrets = ExportOptions.encodedSecrets(exports.secrets(System.getenv()), variables);
        ServerRequest complete = secrets.isEmpty() ? request : request.withHeader(ServerClient.SECRETS_HEADER, secrets);
        return sending(source, () -> client.send(complete)).tree();
    }

    /** Returns PATH and HOME, unless the server's are wanted, and the variables of {@code --export}. */
    private SortedMap<String, String> variables() {
        SortedMap<String, String> variables = new TreeMap<>();
        for (String name : scratch ? List.<String>of() : List.of("PATH", "HOME")) {
            String value = System.getenv(name);
            if (value != null) {
                variables.put(name, value);
            }
        }
        variables.putAll(exports.variables(System.getenv()));
        return variables;
    }

    private void table(List<SubmissionResult> results) {
        TextTable table = new TextTable(Integer.MAX_VALUE)
                .text("APPLICATION")
                .text("STATE")
                .text("QUEUE");
        ApplicationTables tables = new ApplicationTables(style());
        for (SubmissionResult result : results) {
            if (result.accepted()) {
                String state = Texts.orDash(result.state());
                table.row(List.of(
                        new Cell(result.id(), style()::strong),
                        new Cell(state, tables.emphasis(state)),
                        Cell.of(Texts.orDash(result.queue()))));
            }
        }
        if (results.stream().anyMatch(SubmissionResult::accepted)) {
            table.print(out(), style(), "");
        }
    }

    /** Prints a line per reason to wait, and at least one per application. */
    private void planTable(List<SubmissionResult> results) {
        TextTable table = new TextTable(Integer.MAX_VALUE)
                .text("APPLICATION")
                .text("QUEUE")
                .number("START")
                .number("WAIT")
                .number("NEVER")
                .text("WHY");
        boolean isEmpty = true;
        for (SubmissionResult result : results) {
            DryRunView plan = result.dryRun();
            if (plan != null) {
                isEmpty = false;
                List<WaitView> waits = new ArrayList<>(plan.waiting());
                if (waits.isEmpty()) {
                    waits.add(new WaitView(0, List.of(), "", "", false, null, null, null, null));
                }
                String starting = count(plan.starting());
                for (WaitView waiting : waits) {
                    table.row(List.of(
                            new Cell(result.id(), style()::strong),
                            Cell.of(Texts.orDash(result.queue())),
                            Cell.of(starting),
                            Cell.of(count(waiting.never() ? 0 : waiting.tasks())),
                            Cell.of(count(waiting.never() ? waiting.tasks() : 0)),
                            Cell.of(waiting.detail())));
                    starting = "";
                }
            }
        }
        if (!isEmpty) {
            table.print(out(), style(), "");
        }
    }

    private static String count(long tasks) {
        return tasks == 0 ? "-" : Long.toString(tasks);
    }

    private void printRejected(List<SubmissionResult> results) {
        for (SubmissionResult result : results) {
            ProblemDetails problem = result.problem();
            if (problem != null) {
                say(TextWidth.printable(result.id()) + " was refused: " + TextWidth.printable(problem.detail()));
            } else if (!result.accepted()) {
                String reason = result.reason() == null ? "no queue accepts it" : result.reason();
                say(TextWidth.printable(result.id()) + " was rejected: " + TextWidth.printable(reason));
            }
        }
    }

    /** Waits until all accepted applications have ended and prints their outcomes; returns whether all completed. */
    private boolean follow(ServerClient client, List<SubmissionResult> results) {
        printRejected(results);
        List<ApplicationWaiter.Name> names = results.stream()
                .filter(SubmissionResult::accepted)
                .map(result -> new ApplicationWaiter.Name(result.partition(), result.id()))
                .toList();
        Thread shutdownNotice = new Thread(
                () -> say("stopped waiting; submitted applications continue (see sluice wait, sluice cancel)"));
        Runtime.getRuntime().addShutdownHook(shutdownNotice);
        ApplicationWaiter.WaitResult outcome;
        try {
            outcome = new ApplicationWaiter(client, server().timeout(), this::printProgress)
                    .until(names, ApplicationWaiter::isEnded);
        } finally {
            forget(shutdownNotice);
        }
        if (quiet) {
            names.forEach(name -> out().println(TextWidth.printable(name.application())));
            out().flush();
        } else {
            show(outcome.responses(), () -> {
                if (!outcome.applications().isEmpty()) {
                    new ApplicationTables(style()).outcomes(outcome.applications(), out());
                }
            });
        }
        outcome.applications().stream()
                .filter(view -> view.tasks().failed() > 0)
                .forEach(view -> say("output of failed tasks of " + TextWidth.printable(view.id()) + ": sluice tasks "
                        + TextWidth.printable(view.id()) + " --state failed; sluice logs "
                        + TextWidth.printable(view.id()) + " TASK"));
        return outcome.applications().stream().allMatch(view -> view.state().equals("Completed"));
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            return; // shutdown is in progress, and the hook runs
        }
    }

    private void printProgress(ApplicationView view) {
        if (!quiet) {
            err().println(style().faint(Texts.timeOfDay(Instant.now())) + "  " + TextWidth.printable(view.id()) + "  "
                    + new ApplicationTables(output().errorStyle())
                            .emphasis(view.state())
                            .apply(view.state())
                    + (view.reason() == null ? "" : ": " + TextWidth.printable(view.reason())));
            err().flush();
        }
    }
}
