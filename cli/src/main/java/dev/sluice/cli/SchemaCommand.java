package dev.sluice.cli;

import dev.sluice.config.reference.FileFormat;
import dev.sluice.config.reference.JsonSchema;
import dev.sluice.simulator.workload.WorkloadFormats;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the JSON Schema of a kind of file. */
@Command(
        name = "schema",
        description = {
            "Print the JSON Schema of a kind of file",
            "Editors use it to complete keys, to explain them and to mark mistakes. In YAML, name it in the first line:"
                    + " # yaml-language-server: $schema=job-file.schema.json"
        },
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        footerHeading = "%nExamples:%n",
        footer = {"  sluice schema job > job-file.schema.json", "  sluice schema queues > queues.schema.json"})
final class SchemaCommand implements Callable<Integer> {

    /** The formats by the names that this command takes. */
    static final Map<String, FileFormat> FORMATS = formats();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(
            paramLabel = "KIND",
            completionCandidates = Kinds.class,
            description = "job, queues, snapshot, workload, mapping or notifications.")
    private String kind = "";

    /** The kinds of files there is a schema for. */
    static final class Kinds implements Iterable<String> {

        @Override
        public Iterator<String> iterator() {
            return FORMATS.keySet().iterator();
        }
    }

    private static Map<String, FileFormat> formats() {
        Map<String, FileFormat> formats = new LinkedHashMap<>();
        formats.put("job", FileFormat.JOB_FILE);
        formats.put("queues", FileFormat.QUEUES);
        formats.put("snapshot", FileFormat.SNAPSHOT);
        formats.put("workload", WorkloadFormats.WORKLOAD);
        formats.put("mapping", WorkloadFormats.MAPPING);
        formats.put("notifications", FileFormat.NOTIFICATIONS);
        return formats;
    }

    @Override
    public Integer call() {
        FileFormat format = FORMATS.get(kind);
        if (format == null) {
            throw new UserException("no schema of '" + kind + "': use one of " + String.join(", ", FORMATS.keySet()));
        }
        spec.commandLine().getOut().print(JsonSchema.of(format));
        spec.commandLine().getOut().flush();
        return ExitCode.OK;
    }
}
