package dev.sluice.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.sluice.simulator.figures.Series;
import dev.sluice.simulator.figures.TimeAxis;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the functions of the page's scripts that do not need a page. */
class ScriptsTest {

    @TempDir
    Path directory;

    @Test
    void format_anyNumber_matchesSummary() throws IOException, InterruptedException {
        Random random = new Random(3);
        StringBuilder program = new StringBuilder(script("format.js"));
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            double value =
                    i < 200 ? i : random.nextDouble() * Math.pow(10, random.nextInt(12) - 3) * (i % 7 == 0 ? -1 : 1);
            double amount = Math.abs(value);
            program.append(String.format(
                    Locale.ROOT,
                    "console.log([format.number(%1$s), format.duration(%1$s), format.share(%1$s), format.slotTime(%1$s), "
                            + "format.amount('vcore', %2$s), format.amount('memory', %2$s), format.amount('gpu', %2$s)].join('|'));%n",
                    value,
                    amount));
            expected.add(String.join(
                    "|",
                    FigureText.number(value),
                    FigureText.duration(value),
                    FigureText.share(value),
                    FigureText.slotTime(value),
                    FigureText.amount("vcore", amount),
                    FigureText.amount("memory", amount),
                    FigureText.amount("gpu", amount)));
        }
        assertThat(run(program.toString())).isEqualTo(expected);
    }

    @Test
    void series_resampled_keepsItsArea() throws IOException, InterruptedException {
        assertThat(withFigures("""
                        const series = { axis: { stepSeconds: 10, points: 4 }, values: [1, 3, 0, 8] };
                        console.log(JSON.stringify(resample(series, 20, 2)));
                        console.log(JSON.stringify(resample(series, 5, 10)));
                        console.log(JSON.stringify(resample(series, 15, 3)));
                        console.log(JSON.stringify(commonAxis([series, { axis: { stepSeconds: 1, points: 3 }, values: [] }])));
                        """))
                .containsExactly(
                        "[2,4]",
                        "[1,1,3,3,0,0,8,8,null,null]",
                        "[1.6666666666666667,1,8]",
                        "{\"stepSeconds\":1,\"points\":40}");
    }

    @Test
    void series_packed_isDecodedWithinPrecision() throws IOException, InterruptedException {
        List<Double> values = List.of(0.0, 1.0, 0.25, 0.9999, 1e-9, -1.0, 0.333, Double.NaN, Double.POSITIVE_INFINITY);
        for (double peak : new double[] {1, 3e-7, 12_345}) {
            List<Double> scaled = values.stream().map(value -> value * peak).toList();
            PackedSeries packed = PackedSeries.of(new Series(new TimeAxis(1, scaled.size()), scaled));
            List<String> unpacked = withFigures(String.format(
                    Locale.ROOT,
                    "console.log(valuesOf({ axis: { points: %d }, peak: %s, levels: '%s' }).join('\\n'));",
                    scaled.size(),
                    packed.peak(),
                    packed.levels()));
            for (int i = 0; i < 7; i++) {
                assertThat(Double.parseDouble(unpacked.get(i)))
                        .isCloseTo(Math.max(0, scaled.get(i)), within(peak / PackedSeries.LEVELS));
            }
            assertThat(unpacked.get(0)).isEqualTo("0");
            assertThat(Double.parseDouble(unpacked.get(1))).isEqualTo(peak);
            assertThat(unpacked.subList(7, unpacked.size())).allMatch(String::isEmpty);
        }
    }

    @Test
    void partAtMost_betweenPercentiles_isInterpolated() throws IOException, InterruptedException {
        assertThat(withFigures("""
                        const at = (x) => partAtMost([0, 0, 10, 1000], [0, 50, 90, 100], x).toFixed(3);
                        console.log([at(1), at(Math.sqrt(10)), at(10), at(100), at(1000), at(5000)].join(" "));
                        console.log(partAtMost([20, 30], [0, 100], 5));
                        """)).containsExactly("0.500 0.700 0.900 0.950 1.000 1.000", "0");
    }

    @Test
    void shares_ofDifferentResources_mayExceedTheWhole() throws IOException, InterruptedException {
        assertThat(withFigures("""
                        console.log(exceedWhole([[0.9, 0.2], [0.05, 0.8]]));
                        console.log(exceedWhole([[0.9, 0.2], [0.8, null]]));
                        """)).containsExactly("false", "true");
    }

    @Test
    void resources_byScarcity_listTheScarcestFirst() throws IOException, InterruptedException {
        assertThat(withFigures("""
                        console.log(byScarcity(new Set(["disk", "gpu", "vcore"]), ["gpu", "vcore"]).join(" "));
                        """)).containsExactly("gpu vcore disk");
    }

    @Test
    void runs_tooMany_areEvenlySpaced() throws IOException, InterruptedException {
        assertThat(withFigures("""
                        console.log(evenlySpaced([1, 2, 3], 3).join(" "));
                        console.log(evenlySpaced([0, 1, 2, 3, 4, 5, 6], 3).join(" "));
                        const runs = [1, 2, 3, 4, 5].flatMap((nodes) => ["a", "b"].map((name) => ({ name, variant: { nodes } })));
                        console.log(someRuns(runs, 6).map((run) => run.name + run.variant.nodes).join(" "));
                        """)).containsExactly("1 2 3", "0 3 6", "a1 b1 a3 b3 a5 b5");
    }

    @Test
    void scripts_ofPage_neverParseTextAsMarkup() {
        assertThat(PageParts.script())
                .doesNotContainPattern(
                        "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|\\beval\\b|Function\\(");
    }

    /** Runs a program with the functions of figures.js, without any figures. */
    private List<String> withFigures(String program) throws IOException, InterruptedException {
        return run("const byId = () => ({ textContent: '{\"runs\": []}' });\n" + script("figures.js") + program);
    }

    private List<String> run(String program) throws IOException, InterruptedException {
        Path file = Files.writeString(directory.resolve("program.js"), program);
        Process process;
        try {
            process = new ProcessBuilder("node", file.toString())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            return abort("node is not installed, so scripts are not run");
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output.lines().toList();
    }

    private static String script(String name) {
        try (InputStream in = ScriptsTest.class.getResourceAsStream(name)) {
            assertThat(in).as(name).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
