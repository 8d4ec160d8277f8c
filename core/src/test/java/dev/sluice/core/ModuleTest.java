package dev.sluice.core;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Other programs can use {@code dev.sluice.core} as a module. */
class ModuleTest {

    private static final Path CORE = Path.of("target", "classes");

    @TempDir
    Path folder = Path.of("");

    @Test
    void packages_exceptSchedule_areExported() {
        ModuleDescriptor module =
                ModuleFinder.of(CORE).find("dev.sluice.core").orElseThrow().descriptor();
        Set<String> hidden = new TreeSet<>(module.packages());
        module.exports().stream()
                .filter(exported -> !exported.isQualified())
                .forEach(exported -> hidden.remove(exported.source()));
        assertThat(hidden).containsExactly("dev.sluice.core.schedule");
    }

    @Test
    void sampleOfGuide_inOtherModule_compiles() throws IOException {
        String guide = Files.readString(Path.of("src/test/java/dev/sluice/core/EmbedGuideTest.java"));
        String imports = guide.lines()
                .filter(line -> line.startsWith("import dev.sluice") || line.startsWith("import java"))
                .collect(joining("\n"));
        String sample = guide.substring(guide.indexOf("// sample\n"), guide.indexOf("// end of sample"));
        assertThat(compile(imports, sample)).isEmpty();
    }

    @Test
    void internalPackage_inOtherModule_isNotVisible() throws IOException {
        assertThat(compile("import dev.sluice.core.schedule.PartitionSchedule;", ""))
                .contains("package dev.sluice.core.schedule is not visible");
    }

    /** Compiles a module that only requires {@code dev.sluice.core}; returns what the compiler prints. */
    private String compile(String imports, String statements) throws IOException {
        Path module =
                Files.writeString(folder.resolve("module-info.java"), "module embedding { requires dev.sluice.core; }");
        Path program = Files.writeString(
                folder.resolve("Program.java"),
                "package embedding;\n" + imports + "\nclass Program { void run() { " + statements + " } }\n");
        StringWriter printed = new StringWriter();
        PrintWriter out = new PrintWriter(printed);
        ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
        javac.run(
                out,
                out,
                "--module-path",
                CORE.toString(),
                "-d",
                folder.resolve("out").toString(),
                module.toString(),
                program.toString());
        return printed.toString();
    }
}
