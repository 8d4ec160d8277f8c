package dev.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class ServerLogTest {

    private static String logged(Map<String, String> environment) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        LoggerContext context = new LoggerContext();
        context.setMDCAdapter(new LogbackMDCAdapter());
        Configurator.ExecutionStatus next = new ServerLog(environment, bytes).configure(context);
        assertThat(next).isEqualTo(Configurator.ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY);
        context.getLogger("dev.sluice.server.Daemon").info("ours {}", 1);
        context.getLogger("dev.sluice.server.Daemon").debug("more of ours");
        context.getLogger("org.other").warn("theirs", new IllegalStateException("why"));
        context.getLogger("org.other").info("more of theirs");
        context.getLogger("org.eclipse.jetty.http.HttpParser").warn("more about a malformed request");
        context.getLogger("org.eclipse.jetty.util.HostPort").warn("more about a malformed request");
        context.stop();
        return bytes.toString(UTF_8);
    }

    @Test
    void log_withoutAWord_isForPeople() {
        assertThat(logged(Map.of()).lines().map(line -> line.replaceFirst("^\\S+", "TIME")))
                .startsWith("TIME INFO  ours 1", "TIME WARN  theirs", "TIME why")
                .noneMatch(line -> line.contains("more"));
    }

    @Test
    void log_asJson_hasOneObjectPerLine() {
        JsonMapper json = JsonMapper.builder().build();
        String[] lines = logged(Map.of("SLUICE_LOG", "json")).split("\n");

        assertThat(lines).hasSize(2);
        JsonNode ours = json.readTree(lines[0]);
        assertThat(ours.get("level").asString()).isEqualTo("INFO");
        assertThat(ours.get("formattedMessage").asString()).isEqualTo("ours 1");
        assertThat(json.readTree(lines[1]).at("/throwable/message").asString()).isEqualTo("why");
    }

    @Test
    void level_fromEnvironment_defaultsToInfo() {
        assertThat(logged(Map.of("SLUICE_LOG_LEVEL", "DEBUG"))).contains("more of ours");
        assertThat(logged(Map.of("SLUICE_LOG_LEVEL", "ERROR")))
                .doesNotContain("ours")
                .contains("theirs");
        assertThat(logged(Map.of("SLUICE_LOG_LEVEL", "nonsense")))
                .contains("ours 1")
                .doesNotContain("more of ours");
    }

    @Test
    void logback_findsIt() {
        assertThat(ServiceLoader.load(Configurator.class)).anyMatch(configurator -> configurator instanceof ServerLog);
    }
}
