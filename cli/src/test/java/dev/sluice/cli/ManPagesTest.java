package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.cli.Program.ProgramResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ManPagesTest {

    @TempDir
    Path directory;

    private List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }

    @Test
    void pages_ofAllCommands_areWritten() throws Exception {
        ProgramResult answer = Program.execute("man-pages", directory.toString());

        assertThat(answer.out()).isEqualTo("wrote " + pages().size() + " man pages to " + directory + "\n");
        assertThat(pages())
                .extracting(page -> page.getFileName().toString())
                .contains("sluice.1", "sluice-run.1", "sluice-config-show.1", "sluice-classes-requestors-set.1")
                .doesNotContain("sluice-complete.1", "sluice-help.1");
        assertThat(Files.readString(directory.resolve("sluice-wait.1")))
                .contains(
                        ".SH NAME\nsluice\\-wait \\- Wait until applications have ended\n",
                        "\\fB\\-\\-for\\fR=\\fISTATE\\fR\n",
                        ".SH EXIT STATUS\n0 all reached the requested state",
                        ".SH SEE ALSO\n\\fBsluice\\fR(1)\n");
    }

    @Test
    void page_renderedByMan_hasNoWarnings() throws Exception {
        Program.execute("man-pages", directory.toString());
        render(List.of(directory.resolve("sluice-run.1")));
    }

    @Tag("slow")
    @Test
    void pages_renderedByMan_haveNoWarnings() throws Exception {
        Program.execute("man-pages", directory.toString());
        render(pages());
    }

    private void render(List<Path> pages) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/man")), "man is not installed");
        for (Path page : pages) {
            Path out = directory.resolveSibling("man.out");
            Path err = directory.resolveSibling("man.err");
            ProcessBuilder man = new ProcessBuilder("man", "--warnings", "-l", page.toString())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            man.environment().put("LC_ALL", "C.UTF-8");
            man.environment().put("MANWIDTH", "80");
            man.environment().put("MAN_KEEP_FORMATTING", "");

            assertThat(man.start().waitFor()).isZero();
            assertThat(err).as(page.toString()).isEmptyFile();
            assertThat(Files.readString(out)).contains("NAME", "SYNOPSIS", "sluice");
        }
    }

    @Test
    void directory_thatCannotBeCreated_isReported() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "");

        ProgramResult answer = Program.execute("man-pages", file.toString());

        assertThat(answer.exitCode()).isEqualTo(2);
        assertThat(answer.err()).startsWith("sluice: cannot write man pages: " + file);
    }
}
