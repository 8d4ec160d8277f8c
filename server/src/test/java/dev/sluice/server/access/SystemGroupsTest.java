package dev.sluice.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.server.access.SystemGroups.LookupException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SystemGroupsTest {

    @TempDir
    Path folder;

    private final AtomicLong nanos = new AtomicLong();

    /** Returns groups by a command that appends its arguments to a file, then executes these lines. */
    private SystemGroups groups(Duration timeout, String lines) throws Exception {
        Path program = Files.writeString(
                folder.resolve("id"), "#!/bin/sh\necho \"$@\" >> " + folder.resolve("calls") + "\n" + lines + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        return new SystemGroups(program.toString(), timeout, nanos::get);
    }

    private List<String> calls() throws Exception {
        return Files.readAllLines(folder.resolve("calls"));
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void groups_mayHaveBlanksInTheirNames() throws Exception {
        SystemGroups groups = groups(SystemGroups.TIMEOUT, "printf 'staff\\0domain users\\0'; exit 1");

        assertThat(groups.known("ada")).isNull();
        assertThat(groups.of("ada")).containsExactly("staff", "domain users");
        assertThat(calls()).containsExactly("-Gnz -- ada");
    }

    @Test
    void groups_known_areKeptForAMinute() throws Exception {
        SystemGroups groups = groups(SystemGroups.TIMEOUT, "printf \"g$(wc -l < " + folder.resolve("calls") + ")\"");
        assertThat(groups.of("ada")).containsExactly("g1");

        pass(SystemGroups.AGE_MAX.dividedBy(2));
        assertThat(groups.known("ada")).containsExactly("g1");
        pass(Duration.ofSeconds(1)); // old enough to be looked up again, beside the caller
        assertThat(groups.known("ada")).containsExactly("g1");
        await().untilAsserted(() -> assertThat(groups.known("ada")).containsExactly("g2"));
        pass(SystemGroups.AGE_MAX.plusSeconds(1));
        assertThat(groups.known("ada")).isNull();
        assertThat(groups.of("ada")).containsExactly("g3");
    }

    @Test
    void lookup_slow_endsAtTimeLimit() throws Exception {
        SystemGroups groups = groups(Duration.ofMillis(100), "exec sleep 60");

        assertThatThrownBy(() -> groups.of("ada"))
                .isInstanceOf(LookupException.class)
                .hasMessageContaining("groups of user ada: no answer within");
        assertThatThrownBy(() -> new SystemGroups("/no/such/id", SystemGroups.TIMEOUT, nanos::get).of("ada"))
                .isInstanceOf(LookupException.class)
                .hasMessageContaining("groups of user ada");
    }

    @Test
    void user_withoutName_hasNoGroups() throws Exception {
        SystemGroups groups = groups(SystemGroups.TIMEOUT, "printf root");

        for (String user : List.of("0", "54321", "+0", "")) {
            assertThat(groups.of(user)).as(user).isEmpty();
        }
        assertThat(folder.resolve("calls")).doesNotExist();
        assertThat(groups.of("4da")).containsExactly("root");
    }

    @Test
    void groups_ofThisSystem_areThoseOfId() throws Exception {
        assertThat(new SystemGroups().of("root")).contains("root");
        assertThat(new SystemGroups().of("no-such-user")).isEmpty();
    }
}
