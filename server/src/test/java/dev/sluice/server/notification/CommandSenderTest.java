package dev.sluice.server.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CommandSenderTest {

    @TempDir
    private Path folder;

    private static CommandSender shell(String line, Duration timeout) {
        return new CommandSender(List.of("/bin/sh", "-c", line), timeout, content -> Map.of("SLUICE_STATE", "Failed"));
    }

    @Test
    void command_executed_getsContentAndVariables() throws Exception {
        Path out = folder.resolve("out");
        String content = "{\"text\": \"" + "ü".repeat(200_000) + "\"}"; // more than a pipe holds

        shell("cat >" + out + "; echo $SLUICE_STATE >>" + out, Duration.ofSeconds(30))
                .send("1", content);

        assertThat(out).content().isEqualTo(content + "Failed\n");
    }

    @Test
    void command_thatReadsNothing_succeeds() throws Exception {
        shell("exit 0", Duration.ofSeconds(30)).send("1", "x".repeat(1_000_000));
    }

    @Test
    void command_failed_showsItsFirstLine() {
        assertThatThrownBy(() -> shell("echo no route >&2; echo more; exit 7", Duration.ofSeconds(30))
                        .send("1", "{}"))
                .isInstanceOf(DeliveryException.class)
                .hasMessage("exit code 7: no route");
        assertThatThrownBy(() -> new CommandSender(List.of("/no/program"), Duration.ofSeconds(30), content -> Map.of())
                        .send("1", "{}"))
                .isInstanceOf(DeliveryException.class)
                .hasMessageStartingWith("cannot execute /no/program: ");
    }

    @Test
    @Tag("slow")
    void command_tooSlow_isKilledWithItsChildren() throws Exception {
        Path pid = folder.resolve("pid");
        CommandSender sender = shell("sleep 600 & echo $! >" + pid + "; wait", Duration.ofMillis(500));

        assertThatThrownBy(() -> sender.send("1", "{}"))
                .isInstanceOf(DeliveryException.class)
                .hasMessage("no end within 500ms, killed");
        assertEnded(pid);
    }

    @Test
    @Tag("slow")
    void command_interrupted_isKilled() throws Exception {
        Path pid = folder.resolve("pid");
        CommandSender sender = shell("sleep 600 & echo $! >" + pid + "; wait", Duration.ofMinutes(10));
        FutureTask<Boolean> interrupted = new FutureTask<>(() -> {
            try {
                sender.send("1", "{}");
                return false;
            } catch (InterruptedException e) {
                return true;
            }
        });
        Thread thread = new Thread(interrupted);
        thread.start();
        await().until(() -> Files.exists(pid) && Files.size(pid) > 1);
        thread.interrupt();

        assertThat(interrupted.get()).isTrue();
        assertEnded(pid);
    }

    private static void assertEnded(Path pid) throws Exception {
        long number = Long.parseLong(Files.readString(pid).strip());
        await().until(() ->
                ProcessHandle.of(number).filter(ProcessHandle::isAlive).isEmpty());
    }

    @Test
    void variables_ofContents_areThoseOfTheEvent() {
        String task = "{\"id\": \"i\", \"notification\": \"task-failed\", \"name\": \"etl\", \"event\": {\"type\":"
                + " \"task.ended\", \"partition\": \"p\", \"data\": {\"application\": \"etl-1\", \"queue\": \"root.q\","
                + " \"user\": \"ada\", \"task\": \"load\", \"outcome\": \"failed\"}}}";

        assertThat(NotificationContent.variables(task))
                .containsOnly(
                        Map.entry("SLUICE_NOTIFICATION", "task-failed"),
                        Map.entry("SLUICE_NOTIFICATION_ID", "i"),
                        Map.entry("SLUICE_NOTIFICATION_TYPE", "task.ended"),
                        Map.entry("SLUICE_PARTITION", "p"),
                        Map.entry("SLUICE_QUEUE", "root.q"),
                        Map.entry("SLUICE_USER", "ada"),
                        Map.entry("SLUICE_APPLICATION", "etl-1"),
                        Map.entry("SLUICE_APPLICATION_NAME", "etl"),
                        Map.entry("SLUICE_TASK", "load"),
                        Map.entry("SLUICE_STATE", "failed"));
        assertThat(NotificationContent.variables("{}")).containsEntry("SLUICE_STATE", "");
    }
}
