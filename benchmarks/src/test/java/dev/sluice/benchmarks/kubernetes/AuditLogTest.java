package dev.sluice.benchmarks.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AuditLogTest {

    @TempDir
    private Path folder;

    private Path file = Path.of("");
    private AuditLog log = new AuditLog(file);

    @BeforeEach
    void create() throws IOException {
        file = Files.createFile(folder.resolve("audit.log"));
        log = new AuditLog(file);
    }

    private static String line(String name, String subresource, int code, String received, String answered) {
        String sub = subresource.isEmpty() ? "" : ",\"subresource\":\"" + subresource + "\"";
        return """
                {"stage":"ResponseComplete","verb":"create","userAgent":"kube-scheduler/v1.36.3 (linux/amd64)",\
                "objectRef":{"resource":"pods","namespace":"queue-0","name":"%s"%s},"responseStatus":{"code":%d},\
                "requestReceivedTimestamp":"2026-01-01T00:00:%sZ","stageTimestamp":"2026-01-01T00:00:%sZ"}
                """.formatted(name, sub, code, received, answered);
    }

    private void append(String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.APPEND);
        log.poll();
    }

    @Test
    void poll_incompleteLine_isReadWhenItIsComplete() throws IOException {
        String line = line("a", "binding", 201, "00.000000", "00.010000");
        append(line.substring(0, 40));
        assertThat(log.bindings()).isZero();
        append(line.substring(40));
        assertThat(log.bindings()).isOne();
        assertThat(log.take())
                .singleElement()
                .returns("pods/binding", AuditLog.Request::resource)
                .returns("queue-0/a", AuditLog.Request::object)
                .returns("kube-scheduler", AuditLog.Request::agent)
                .satisfies(request -> assertThat(request.answeredMicros() - request.receivedMicros())
                        .isEqualTo(10_000));
    }

    @Test
    void truncate_logThatWasRead_continuesAtItsBeginning() throws IOException {
        append(line("a", "binding", 201, "00.000000", "00.010000"));
        log.truncate();
        append(line("b", "binding", 201, "00.000000", "00.010000"));
        assertThat(log.take()).extracting(AuditLog.Request::object).containsExactly("queue-0/b");
    }

    @Test
    void requests_bindings_countUnlessTheyFailed() throws IOException {
        append(line("a", "", 201, "00.000000", "00.100000"));
        append(line("b", "", 201, "00.500000", "00.600000"));
        append(line("a", "binding", 201, "01.000000", "01.100000"));
        append(line("b", "binding", 409, "01.000000", "01.050000"));
        append(line("b", "binding", 201, "01.900000", "02.000000"));
        assertThat(log.bindings()).isEqualTo(2);

        Round.Requests requests = new Round.Requests(log.take());
        assertThat(requests.boundPerSecond()).isEqualTo(1); // two from 0 s to 2 s
        assertThat(requests.millisToBinding(0.5)).isEqualTo(1000);
        assertThat(requests.millisToBinding(0.99)).isEqualTo(1400);
        assertThat(requests.perPod("kube-scheduler")).isEqualTo(2.5);
    }
}
