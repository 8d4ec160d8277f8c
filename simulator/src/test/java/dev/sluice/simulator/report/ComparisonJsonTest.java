package dev.sluice.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.Problem;
import dev.sluice.simulator.figures.ClusterFigures;
import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.figures.Definition;
import dev.sluice.simulator.figures.DistributionSummary;
import dev.sluice.simulator.figures.GangFigures;
import dev.sluice.simulator.figures.MeasureSpread;
import dev.sluice.simulator.figures.NodeTimeline;
import dev.sluice.simulator.figures.OverallFigures;
import dev.sluice.simulator.figures.QueueFigures;
import dev.sluice.simulator.figures.ResourceFigures;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.RunVariant;
import dev.sluice.simulator.figures.Series;
import dev.sluice.simulator.figures.SizeFigures;
import dev.sluice.simulator.figures.SmallestCluster;
import dev.sluice.simulator.figures.TaskFigures;
import dev.sluice.simulator.figures.TimeAxis;
import dev.sluice.simulator.figures.TimeFigures;
import dev.sluice.simulator.figures.UserFigures;
import dev.sluice.simulator.figures.WorkloadFigures;
import dev.sluice.simulator.workload.MalformedLines;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class ComparisonJsonTest {

    /**
     * The path of keys to a map for each record, whose keys are exactly the components of the record; {@code 0} is the
     * first item of a list.
     */
    private static final Map<Class<?>, String> PLACES = places();

    private static Object small;

    @BeforeAll
    static void readOnce() throws IOException {
        small = parsed(GeneratedFigures.small());
    }

    private static Map<Class<?>, String> places() {
        Map<Class<?>, String> places = new LinkedHashMap<>();
        places.put(WorkloadFigures.class, "workload");
        places.put(MalformedLines.class, "workload/malformed");
        places.put(Problem.class, "workload/malformed/first/0");
        places.put(RunFigures.class, "runs/0");
        places.put(TaskFigures.class, "runs/0/total");
        places.put(DistributionSummary.class, "runs/0/total/slowdown");
        places.put(OverallFigures.class, "runs/0/overall");
        places.put(GangFigures.class, "runs/0/overall/gangs");
        places.put(ResourceFigures.class, "runs/0/resources/0");
        places.put(Series.class, "runs/0/resources/0/used");
        places.put(TimeAxis.class, "runs/0/resources/0/used/axis");
        places.put(QueueFigures.class, "runs/0/queues/0");
        places.put(UserFigures.class, "runs/0/users/0");
        places.put(SizeFigures.class, "runs/0/sizes/0");
        places.put(TimeFigures.class, "runs/0/time");
        places.put(NodeTimeline.class, "runs/0/nodes");
        places.put(NodeTimeline.Row.class, "runs/0/nodes/rows/0");
        places.put(RunFigures.Reason.class, "runs/0/reasons/0");
        places.put(RunVariant.class, "runs/0/variant");
        places.put(MeasureSpread.class, "runs/0/spread/0");
        places.put(ClusterFigures.class, "clusters/0");
        places.put(SmallestCluster.class, "enough/0");
        places.put(SmallestCluster.SizeCheck.class, "enough/0/checks/0");
        return places;
    }

    @Test
    void json_ofEveryRecord_hasComponentsAsKeys() {
        PLACES.forEach((type, place) -> assertThat(keys(at(small, place)))
                .as("%s at %s", type.getSimpleName(), place)
                .containsExactlyElementsOf(Stream.concat(
                                type == RunFigures.class ? Stream.of("name") : Stream.empty(),
                                Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName))
                        .toList()));
    }

    @Test
    void places_ofRecords_coverWholeComparison() {
        Deque<Class<?>> open = new ArrayDeque<>(List.of(Comparison.class));
        Map<Class<?>, Class<?>> found = new LinkedHashMap<>();
        while (!open.isEmpty()) {
            for (RecordComponent component : open.remove().getRecordComponents()) {
                String type = component.getGenericType().getTypeName().replaceAll("^.*<(.*)>$", "$1");
                if (type.startsWith("dev.sluice.")) {
                    Class<?> next = named(type);
                    if (next.isRecord() && found.put(next, next) == null) {
                        open.add(next);
                    }
                }
            }
        }
        assertThat(found.keySet()).containsExactlyInAnyOrderElementsOf(PLACES.keySet());
    }

    @Test
    void json_topLevel_hasPercentilesAndDefinitions() {
        assertThat(keys(small))
                .containsExactly("workload", "percentiles", "runs", "definitions", "clusters", "repetitions", "enough");
        assertThat((List<?>) at(small, "percentiles")).hasSameSizeAs(DistributionSummary.PERCENTILES);
        assertThat((List<?>) at(small, "definitions")).hasSize(Definition.values().length);
        assertThat(at(small, "definitions/0/term")).isEqualTo("waiting time");
    }

    @Test
    void json_ofFigures_hasTheirValues() {
        assertThat(at(small, "workload/name")).isEqualTo("lublin-256.swf");
        assertThat(at(small, "workload/first")).isEqualTo("2026-01-05T00:00:00Z");
        assertThat(at(small, "clusters/0/capacity/memory")).isEqualTo(17_592_186_044_416L);
        assertThat(at(small, "workload/malformed/first/0/line")).isEqualTo(117);
        assertThat(at(small, "runs/2/kind")).isEqualTo("shortest-first");
        assertThat(at(small, "runs/0/overall/makespanSeconds")).isEqualTo(734_400);
        assertThat(at(small, "runs/1/overall/makespanSeconds")).isEqualTo(718_200);
        assertThat(at(small, "runs/0/queues/0/leaf")).isEqualTo(false);
        assertThat((List<?>) at(small, "runs/0/queues/0/due/values")).hasSize(300);
    }

    @Test
    void json_ofName_roundTrips() throws IOException {
        String name = "</script><!-- \"'\\ \u2028\u2029 \u0000\u001f\u007f \ud83d\ude00 {{}} & é";
        assertThat(at(parsed(HostileFigures.everywhere(name)), "runs/0/queues/0/path"))
                .isEqualTo(name);
    }

    @Test
    void json_ofLoneSurrogate_isEscaped() throws IOException {
        assertThat(json(HostileFigures.everywhere("a\ud800b"))).contains("\"a\\ud800b\"");
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void json_missingNumber_isNull(double value) throws IOException {
        String json = json(HostileFigures.numbers(value));
        assertThat(json).doesNotContain("NaN").doesNotContain("Infinity");
        assertThat(json).contains("\"makespanSeconds\":null").contains("\"values\":[null");
    }

    @Test
    void json_writtenTwice_isTheSame() throws IOException {
        assertThat(json(GeneratedFigures.small())).isEqualTo(json(GeneratedFigures.small()));
    }

    private static String json(Comparison comparison) throws IOException {
        StringBuilder text = new StringBuilder();
        ComparisonJson.write(comparison, text);
        return text.toString();
    }

    /** Parses JSON as YAML; numbers such as 1E+20 are read as text. */
    private static Object parsed(Comparison comparison) throws IOException {
        LoadSettings settings =
                LoadSettings.builder().setCodePointLimit(1 << 28).build();
        return new Load(settings).loadFromString(json(comparison));
    }

    private static Object at(Object document, String place) {
        Object here = document;
        for (String step : place.split("/")) {
            Object next = here instanceof List<?> list
                    ? list.get(Integer.parseInt(step))
                    : map(here).get(step);
            assertThat(next).as("%s of %s", step, place).isNotNull();
            here = next;
        }
        return here;
    }

    private static List<String> keys(Object value) {
        return map(value).keySet().stream().map(String::valueOf).toList();
    }

    private static Map<?, ?> map(Object value) {
        assertThat(value).isInstanceOf(Map.class);
        return (Map<?, ?>) value;
    }

    private static Class<?> named(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}
