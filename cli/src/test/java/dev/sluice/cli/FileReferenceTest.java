package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.field.ReferencePage;
import dev.sluice.config.reference.FileFormat;
import dev.sluice.config.reference.JsonSchema;
import dev.sluice.config.reference.ReferenceTables;
import dev.sluice.config.snapshot.NodeListReader;
import dev.sluice.simulator.workload.WorkloadFormats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The reference pages and the JSON schemas in docs are what the code says. */
class FileReferenceTest {

    /** Rewrites pages and schemas instead of comparing them. */
    private static final String WRITE = "sluice.write";

    private static final Path ROOT = Path.of("..");
    private static final String CURE = "differs from the code; write it with"
            + " ./mvnw test -pl cli -am -Dtest=FileReferenceTest -Dsurefire.failIfNoSpecifiedTests=false -D" + WRITE
            + "=true";

    private static final Map<ReferencePage, List<FileFormat>> PAGES = pages();

    private static Map<ReferencePage, List<FileFormat>> pages() {
        FileFormat nodes = new FileFormat("nodes", "list of nodes", List.of(NodeListReader.KEYS));
        Map<ReferencePage, List<FileFormat>> pages = new EnumMap<>(ReferencePage.class);
        pages.put(ReferencePage.JOB_FILE, List.of(FileFormat.JOB_FILE));
        pages.put(ReferencePage.QUEUES, List.of(FileFormat.QUEUES));
        pages.put(ReferencePage.SNAPSHOT, List.of(FileFormat.SNAPSHOT));
        pages.put(ReferencePage.WORKLOAD, List.of(WorkloadFormats.WORKLOAD, WorkloadFormats.MAPPING, nodes));
        pages.put(ReferencePage.NOTIFICATIONS, List.of(FileFormat.NOTIFICATIONS));
        return pages;
    }

    static List<FileFormat> formats() {
        return List.copyOf(SchemaCommand.FORMATS.values());
    }

    private static void compare(Path file, String text) throws IOException {
        if (Boolean.getBoolean(WRITE)) {
            Files.writeString(file, text);
        }
        assertThat(Files.exists(file) ? Files.readString(file) : "")
                .as("%s %s", file, CURE)
                .isEqualTo(text);
    }

    @ParameterizedTest
    @EnumSource
    void tables_ofAPage_areWhatTheCodeSays(ReferencePage page) throws IOException {
        Path file = ROOT.resolve(page.path());
        compare(file, ReferenceTables.update(page, Objects.requireNonNull(PAGES.get(page)), Files.readString(file)));
    }

    @ParameterizedTest
    @MethodSource("formats")
    void schema_ofAFormat_isWhatTheCodeSays(FileFormat format) throws IOException {
        compare(ROOT.resolve("docs/schemas/" + format.name() + ".schema.json"), JsonSchema.of(format));
    }

    @Test
    void page_withoutARegionOfASection_isRefused() throws IOException {
        String text = Files.readString(ROOT.resolve(ReferencePage.QUEUES.path()));
        assertThatThrownBy(() -> ReferenceTables.update(
                        ReferencePage.QUEUES,
                        Objects.requireNonNull(PAGES.get(ReferencePage.QUEUES)),
                        text.replace("generated: limit", "x")))
                .hasMessageContaining("missing: [limit]");
    }

    @Test
    void links_ofThePages_leadToHeadings() throws IOException {
        for (ReferencePage page : ReferencePage.values()) {
            Matcher links = Pattern.compile("\\]\\(([a-zA-Z-]+\\.md)?(#[a-z-]+)?\\)")
                    .matcher(Files.readString(ROOT.resolve(page.path())));
            while (links.find()) {
                String file = links.group(1) == null ? page.fileName() : links.group(1);
                String target = Files.readString(ROOT.resolve(ReferencePage.DIRECTORY + file));
                if (links.group(2) != null) {
                    assertThat(target.lines()
                                    .filter(line -> line.startsWith("#"))
                                    .map(line -> line.replaceAll("^#+ ", "#")
                                            .toLowerCase(java.util.Locale.ROOT)
                                            .replace(' ', '-')))
                            .as(page.fileName() + " " + links.group())
                            .contains(links.group(2));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("formats")
    void schemaCommand_ofAFormat_printsItsSchema(FileFormat format) {
        String kind = format.name().replace("-file", "");
        assertThat(Program.execute("schema", kind).out()).isEqualTo(JsonSchema.of(format));
    }

    @Test
    void schemaCommand_withAnUnknownKind_namesTheKinds() {
        Program.ProgramResult answer = Program.execute("schema", "jobs");

        assertThat(answer.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(answer.err())
                .contains("no schema of 'jobs': use one of job, queues, snapshot, workload, mapping, notifications");
    }
}
