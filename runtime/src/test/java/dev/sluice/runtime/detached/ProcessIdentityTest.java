package dev.sluice.runtime.detached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The identity of runs and processes. */
final class ProcessIdentityTest {

    private static final String LONG = "x".repeat(256);

    @Test
    void text_ofIdentity_isParsedEqual() {
        ProcessIdentity identity = new ProcessIdentity(42, "-", "Sun Nov 22 00:31:34 2026");
        assertThat(ProcessIdentity.of(identity.toString())).isEqualTo(identity);
    }

    @Test
    void procEntry_ofAnyName_yieldsStartTime() {
        String rest = " 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 4711 100";
        assertThat(ProcessClock.Proc.parse("12 (a ) Z b)) S" + rest)).isEqualTo("4711");
        assertThat(ProcessClock.Proc.parse("12 (a) Z" + rest)).isNull();
        assertThat(ProcessClock.Proc.parse("12 (a) S 1 2")).isNull();
        assertThat(ProcessClock.Proc.parse("")).isNull();
    }

    @Test
    void clocks_ofThisMachine_recognizeLiveProcesses() throws Exception {
        Process process = new ProcessBuilder("sleep", "1000").start();
        for (ProcessClock clock : List.of(ProcessClock.ofThisSystem("ps"), new ProcessClock.Ps("ps"))) {
            String start = clock.startOf(process.pid());
            assertThat(start).isNotNull();
            assertThat(clock.isAlive(new ProcessIdentity(process.pid(), clock.boot(), start)))
                    .isTrue();
            assertThat(clock.isAlive(new ProcessIdentity(process.pid(), clock.boot(), start + "0")))
                    .isFalse();
            assertThat(clock.isAlive(new ProcessIdentity(process.pid(), "another", start)))
                    .isFalse();
        }
        process.destroyForcibly().waitFor();
        assertThat(ProcessClock.ofThisSystem("ps").startOf(process.pid())).isNull();
        assertThat(new ProcessClock.Ps("ps").startOf(process.pid())).isNull();
    }

    @Test
    void folderNames_ofDifferentRuns_differAndAreShort() {
        Stream<RunKey> keys = Stream.of(
                key("p", "a", "t", 1, 1),
                key("p", "a", "t", 1, 2),
                key("p", "a", "t", 2, 1),
                key("q", "a", "t", 1, 1),
                key("p", "a/t", "t", 1, 1),
                key(LONG, LONG, LONG, 1, Long.MAX_VALUE),
                key(LONG, LONG, LONG, 2, Long.MAX_VALUE));
        assertThat(keys.map(RunKey::folderName)).doesNotHaveDuplicates().allMatch(name -> name.length() < 250);
        assertThat(key("p", "../..", "t", 1, 17).folderName()).isEqualTo("17.p%2F..%2F..%2Ft%2F1");
        assertThatThrownBy(() -> key("p", "a", "t", 1, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    private static RunKey key(String partition, String application, String task, int attempt, long sequence) {
        return new RunKey(new RunRef(new TaskRef(partition, application, task, TaskRef.SINGLE), attempt), sequence);
    }
}
