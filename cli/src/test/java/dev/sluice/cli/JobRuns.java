package dev.sluice.cli;

import dev.sluice.cli.Program.ProgramResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Runs of job files with the packaged program. */
final class JobRuns {

    private static final ObjectMapper JSON = new ObjectMapper();

    private JobRuns() {}

    /** Writes {@code jobs.yaml} to a directory and runs it there. */
    static ProgramResult run(Path directory, String text, String... options) throws Exception {
        Files.writeString(directory.resolve("jobs.yaml"), text);
        return Program.run(
                directory,
                Stream.concat(Stream.of("run", "jobs.yaml"), Stream.of(options)).toArray(String[]::new));
    }

    /** Returns an application of a result as JSON. */
    static JsonNode application(ProgramResult answer, String id) {
        return JSON.readTree(answer.out())
                .get("applications")
                .valueStream()
                .filter(application -> application.get("application").asString().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
