package dev.sluice.cli.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The program runs as a module. The compiler finds a missing {@code requires} or {@code exports}; this finds a missing
 * {@code opens}, and libraries that do not resolve together.
 */
@Tag("slow")
final class ModulePathTest {

    private static final Pattern ADDRESS = Pattern.compile("listening on (http://[^ ,]+)");

    @TempDir
    Path folder = Path.of("");

    @Test
    void server_onModulePath_answers() throws Exception {
        Process server = program("serve", "--insecure", "--port", "0", "--no-node", "--data", "data");
        try (BufferedReader output = server.inputReader(StandardCharsets.UTF_8)) {
            String address = address(output);
            assertThat(get(address + "/api/v1/openapi.json").body()).contains("WhyView");
            assertThat(get(address + "/metrics").statusCode()).isEqualTo(200);
            assertThat(get(address + "/api/v1/nothing").body()).contains("\"status\"");
            Process client = program("list", "--output", "json", "--server", address);
            try (BufferedReader answer = client.inputReader(StandardCharsets.UTF_8)) {
                assertThat(answer.lines()).contains("  \"items\": []");
            }
            assertThat(client.waitFor()).isZero();
        } finally {
            server.destroy();
            server.waitFor();
        }
    }

    private static String address(BufferedReader output) throws IOException {
        StringBuilder printed = new StringBuilder();
        String line;
        while ((line = output.readLine()) != null) {
            Matcher matcher = ADDRESS.matcher(line);
            if (matcher.find()) {
                return matcher.group(1);
            }
            printed.append(line).append('\n');
        }
        throw new AssertionError("the server has ended:\n" + printed);
    }

    private static HttpResponse<String> get(String address) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofString());
    }

    private Process program(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--module-path",
                modulePath(),
                "--add-exports",
                "org.eclipse.jetty.server/org.eclipse.jetty.server.internal=dev.sluice.server",
                "--module",
                "dev.sluice.cli/dev.sluice.cli.Sluice"));
        command.addAll(Arrays.asList(arguments));
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
    }

    /** Returns the class path without tests of Sluice. */
    private static String modulePath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.endsWith("test-classes") && !entry.endsWith("-tests.jar"))
                .reduce((some, next) -> some + File.pathSeparator + next)
                .orElseThrow();
    }
}
