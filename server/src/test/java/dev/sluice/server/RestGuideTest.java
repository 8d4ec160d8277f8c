package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.server.http.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Runs the examples of {@code docs/reference/rest.md}; … in an expected answer stands for further fields. */
final class RestGuideTest {

    private static final Pattern EXAMPLE = Pattern.compile("```console\n\\$ (curl .*)\n(.*)\n```");
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    @Test
    void examples_run_matchTheGuide(@TempDir Path folder) throws Exception {
        Matcher matcher = EXAMPLE.matcher(Files.readString(Path.of("..", "docs", "reference", "rest.md")));
        int examples = 0;
        try (TestDaemon daemon = TestDaemon.start(DaemonSettings.in(folder))) {
            while (matcher.find()) {
                examples++;
                Reply reply = run(daemon.client(), matcher.group(1));
                boolean more = matcher.group(2).contains("…");
                JsonNode wanted = Json.mapper().readTree(matcher.group(2).replaceAll(",? *…", ""));
                compare(wanted, reply.json(), more, matcher.group(1) + " answered " + reply.text());
            }
        }
        assertThat(examples).isEqualTo(10);
    }

    private static Reply run(TestHttpClient client, String line) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(line);
        while (matcher.find()) {
            words.add(matcher.group(1) != null ? matcher.group(1) : matcher.group(2));
        }
        String body = "";
        String type = "";
        List<String> headers = new ArrayList<>();
        for (int i = 1; i < words.size() - 1; i++) {
            if (words.get(i).equals("-d")) {
                body = words.get(++i);
            } else if (words.get(i).equals("-H")) {
                String[] header = words.get(++i).split(": ", 2);
                if (header[0].equals("Content-Type")) {
                    type = header[1];
                } else {
                    headers.addAll(List.of(header));
                }
            }
        }
        String path = words.get(words.size() - 1).replace("http://127.0.0.1:7450/api/v1", "");
        return client.send(body.isEmpty() ? "GET" : "POST", path, body, type, headers.toArray(new String[0]));
    }

    private static void compare(JsonNode wanted, JsonNode found, boolean more, String what) {
        if (wanted.isObject()) {
            for (Map.Entry<String, JsonNode> field : wanted.properties()) {
                assertThat(found.has(field.getKey())).as(what).isTrue();
                compare(field.getValue(), found.get(field.getKey()), more, what);
            }
            if (!more) {
                assertThat(found.size()).as(what).isEqualTo(wanted.size());
            }
        } else if (wanted.isArray()) {
            assertThat(found.size()).as(what).isEqualTo(wanted.size());
            for (int i = 0; i < wanted.size(); i++) {
                compare(wanted.get(i), found.get(i), more, what);
            }
        } else {
            assertThat(found).as(what).isEqualTo(wanted);
        }
    }
}
