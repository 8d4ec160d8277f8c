package dev.sluice.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The Helm chart; tests that use it are skipped where helm has not been built. */
public final class Chart {

    /** The namespace for which it is rendered. */
    public static final String NAMESPACE = "sluice";

    private Chart() {}

    /** Returns the manifests that the chart renders with these options of helm. */
    public static String render(String... options) throws IOException, InterruptedException {
        Result result = helm("template", options);
        if (result.exitCode() != 0) {
            throw new IllegalArgumentException(result.output());
        }
        return result.output();
    }

    /** Creates all objects of rendered manifests. */
    public static void create(KubernetesClient client, String manifests) {
        for (HasMetadata object : client.load(new ByteArrayInputStream(manifests.getBytes(StandardCharsets.UTF_8)))
                .items()) {
            client.resource(object).create();
        }
    }

    /** Returns the documents of a kind, as maps and lists. */
    public static List<Object> documents(String manifests, String kind) {
        Pattern line = Pattern.compile("^kind: " + kind + "$", Pattern.MULTILINE);
        return Pattern.compile("^---$", Pattern.MULTILINE)
                .splitAsStream(manifests)
                .filter(each -> line.matcher(each).find())
                .map(each -> new Load(LoadSettings.builder().build()).loadFromString(each))
                .toList();
    }

    /** Runs a subcommand of helm that takes a chart. */
    static Result helm(String command, String... options) throws IOException, InterruptedException {
        List<String> line =
                new ArrayList<>(List.of(TestCluster.program("helm", "--helm").toString(), command));
        line.addAll(
                command.equals("template") ? List.of("sluice", "chart", "--namespace", NAMESPACE) : List.of("chart"));
        line.addAll(Arrays.asList(options));
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), output);
    }

    /** The exit code and everything that was printed. */
    record Result(int exitCode, String output) {}
}
