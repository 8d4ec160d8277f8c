package dev.sluice.cli;

import dev.sluice.cli.json.JsonOutput;
import dev.sluice.cli.source.FileKind;
import dev.sluice.cli.source.ProblemPrinter;
import dev.sluice.cli.source.SourceFile;
import dev.sluice.cli.terminal.Style;
import dev.sluice.config.notification.NotificationReader;
import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problem;
import dev.sluice.config.queues.QueueConfigurationReader;
import dev.sluice.config.snapshot.JobFile;
import dev.sluice.config.snapshot.JobFileReader;
import dev.sluice.config.snapshot.NodeListReader;
import dev.sluice.config.snapshot.Snapshot;
import dev.sluice.config.snapshot.SnapshotException;
import dev.sluice.config.snapshot.SnapshotLoader;
import dev.sluice.config.snapshot.SnapshotReader;
import dev.sluice.config.snapshot.SubmissionOrigin;
import dev.sluice.simulator.workload.MalformedLines;
import dev.sluice.simulator.workload.WorkloadStatistics;
import dev.sluice.simulator.workload.csv.CsvWorkload;
import dev.sluice.simulator.workload.jobs.JobFileWorkload;
import dev.sluice.simulator.workload.swf.SwfWorkload;
import dev.sluice.simulator.workload.synthetic.SyntheticWorkload;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.core.JsonGenerator;

/** Reports all errors in files. */
@Command(
        name = "validate",
        description = {
            "Check configurations, snapshots, job files and workloads",
            "",
            "Reports every error with line, column and a suggested fix. The file type is inferred from the keys:",
            "  partitions only            queue configuration",
            "  at                         snapshot",
            "  tasks with commands        job file",
            "  tasks with durations       workload",
            "  synthetic                  synthetic workload",
            "  nodes only                 node list",
            "  targets                    notification file",
            "  maps below applications    column mapping",
            "and a log in the Standard Workload Format from its name (*.swf, *.swf.gz)."
        },
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  sluice validate queues.yaml",
            "  sluice validate examples/*.yaml",
            "  sluice validate --config queues.yaml snapshot.yaml",
            "  generate-queues | sluice validate -",
            "  sluice validate -o json queues.yaml | jq '.[].errors[].message'",
            "",
            "Exit codes: 0 all files are valid, 2 a file is invalid."
        })
final class ValidateCommand implements Callable<Integer> {

    /** Maximum share of malformed lines in a log, the default of {@code sluice simulate}. */
    private static final double MALFORMED_SHARE_MAX = 0.01;

    private static final String TABLE =
            "a table is checked together with its column mapping: sluice simulate --workload"
                    + " jobs.csv --mapping mapping.yaml";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Files to check; - is standard input.")
    private List<String> files = List.of();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Queue configuration whose partitions replace those of the snapshots and job files.")
    private @Nullable String config;

    private record ValidationResult(
            SourceFile file, @Nullable FileKind kind, ParseResult<?> reading) {}

    @Override
    public Integer call() {
        Partitions partitions = Partitions.of(config, spec, output);
        List<ValidationResult> results = new ArrayList<>();
        for (String name : files) {
            ValidationResult result = result(SourceFile.named(name, System.in), partitions);
            results.add(result);
            if (!output.isJson()) {
                print(result);
            }
        }
        if (output.isJson()) {
            writeJson(results);
        }
        return results.stream().allMatch(result -> result.reading.isOk()) ? ExitCode.OK : ExitCode.BAD_INPUT;
    }

    private static ValidationResult result(SourceFile file, Partitions partitions) {
        ParseResult<FileKind> kind = FileKind.of(file);
        if (!kind.isOk()) {
            return new ValidationResult(file, null, kind);
        }
        return new ValidationResult(
                file,
                kind.value(),
                switch (kind.value()) {
                    case QUEUE_CONFIGURATION ->
                        file.read(QueueConfigurationReader::read, QueueConfigurationReader::read);
                    case SNAPSHOT ->
                        loadable(
                                file,
                                file.read(
                                        path -> SnapshotReader.read(path, partitions.given()),
                                        (name, text) -> SnapshotReader.read(name, text, partitions.given())));
                    case JOB_FILE ->
                        withMissingResources(
                                file,
                                file.read(
                                        path -> JobFileReader.read(
                                                path, Instant.now(), partitions.given(), SubmissionOrigin.UNKNOWN),
                                        (name, text) -> JobFileReader.read(
                                                name,
                                                text,
                                                Instant.now(),
                                                partitions.given(),
                                                SubmissionOrigin.UNKNOWN)));
                    case JOB_WORKLOAD -> file.read(JobFileWorkload::read, JobFileWorkload::read);
                    case SYNTHETIC_WORKLOAD -> file.read(SyntheticWorkload::read, SyntheticWorkload::read);
                    case NODE_LIST -> file.read(NodeListReader::read, NodeListReader::read);
                    case NOTIFICATIONS -> file.read(NotificationReader::read, NotificationReader::read);
                    case MAPPING ->
                        file.read(CsvWorkload::checkMapping, (name, text) -> named(name, "a column mapping"));
                    case LOG -> file.read(ValidateCommand::log, (name, text) -> named(name, "a log"));
                    case TABLE -> problem(file.name(), TABLE);
                });
    }

    /** Reads the whole log: malformed lines are warnings up to the maximum share, as in a simulation. */
    private static ParseResult<WorkloadStatistics> log(Path file) {
        ParseResult<SwfWorkload> reading = SwfWorkload.read(file);
        if (!reading.isOk()) {
            return new ParseResult<>(null, reading.problems(), reading.problemsLeftOut(), reading.warnings());
        }
        try {
            WorkloadStatistics statistics = WorkloadStatistics.of(reading.value());
            MalformedLines malformed = statistics.malformed();
            if (malformed.share() <= MALFORMED_SHARE_MAX) {
                List<Problem> warnings = new ArrayList<>(reading.warnings());
                warnings.addAll(malformed.first());
                return new ParseResult<>(statistics, List.of(), 0, warnings);
            }
            int leftOut = (int) Math.min(
                    Integer.MAX_VALUE, malformed.malformed() - malformed.first().size());
            return new ParseResult<>(null, malformed.first(), leftOut, List.of());
        } catch (IOException e) {
            return problem(file.toString(), String.valueOf(e.getMessage()));
        }
    }

    private static <T> ParseResult<T> named(String name, String kind) {
        return problem(name, kind + " can only be checked in a named file, not on standard input");
    }

    private static <T> ParseResult<T> problem(String file, String message) {
        return new ParseResult<>(null, List.of(new Problem(file, 0, 0, "", message)), 0, List.of());
    }

    /** Some snapshots are well-formed but describe a state that the scheduler cannot be in. */
    private static ParseResult<Snapshot> loadable(SourceFile file, ParseResult<Snapshot> reading) {
        if (reading.isOk()) {
            try {
                SnapshotLoader.load(reading.value());
            } catch (SnapshotException e) {
                Problem problem = new Problem(file.name(), 0, 0, "", String.valueOf(e.getMessage()));
                return new ParseResult<>(null, List.of(problem), 0, reading.warnings());
            }
        }
        return reading;
    }

    /**
     * Adds warnings about resources that tasks request and no node of the file has; none if the file has no nodes.
     */
    private static ParseResult<JobFile> withMissingResources(SourceFile file, ParseResult<JobFile> reading) {
        if (!reading.isOk() || reading.value().nodes().isEmpty()) {
            return reading;
        }
        List<Problem> warnings = new ArrayList<>(reading.warnings());
        warnings.addAll(
                reading.value().missingTypeProblems(file.name(), reading.value().nodes()));
        warnings.addAll(
                reading.value().tooLargeProblems(file.name(), reading.value().nodes()));
        return new ParseResult<>(reading.value(), List.of(), 0, warnings);
    }

    private void print(ValidationResult result) {
        new ProblemPrinter(spec.commandLine().getErr(), output.errorStyle()).print(result.file, result.reading);
        Style style = output.style();
        PrintWriter out = spec.commandLine().getOut();
        int errors = result.reading.problems().size() + result.reading.problemsLeftOut();
        int warnings = result.reading.warnings().size();
        String counted = errors > 0
                ? style.bad(errors == 1 ? "1 error" : errors + " errors")
                : style.good("valid") + (result.kind == null ? "" : " " + result.kind.displayName());
        String noted = warnings == 0 ? "" : warnings == 1 ? ", 1 warning" : ", " + warnings + " warnings";
        out.println(result.file.name() + ": " + counted + noted);
        out.flush();
    }

    private void writeJson(List<ValidationResult> results) {
        PrintWriter out = spec.commandLine().getOut();
        try (JsonGenerator json = JsonOutput.to(out)) {
            json.writeStartArray();
            for (ValidationResult result : results) {
                json.writeStartObject();
                json.writeStringProperty("file", result.file.name());
                json.writeBooleanProperty("valid", result.reading.isOk());
                write(json, "errors", result.reading.problems());
                write(json, "warnings", result.reading.warnings());
                if (result.reading.problemsLeftOut() > 0) {
                    json.writeNumberProperty("errorsLeftOut", result.reading.problemsLeftOut());
                }
                json.writeEndObject();
            }
            json.writeEndArray();
        }
        out.println();
        out.flush();
    }

    private static void write(JsonGenerator json, String key, List<Problem> problems) {
        json.writeArrayPropertyStart(key);
        for (Problem problem : problems) {
            json.writeStartObject();
            json.writeNumberProperty("line", problem.line());
            json.writeNumberProperty("column", problem.column());
            json.writeStringProperty("path", problem.path());
            json.writeStringProperty("message", problem.message());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
