package dev.sluice.runtime.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Entries of users, with a fake source. */
final class SystemAccountsTest {

    private static final Map<String, String> ENTRIES = Map.of(
            "alice", "alice:x:1001:1002:Alice,,,:/home/alice:/bin/zsh",
            "ALICE", "alice:x:1001:1002::/home/alice:/bin/zsh",
            "1001", "alice:x:1001:1002::/home/alice:/bin/zsh",
            "toor", "toor:x:0:0::/root:/bin/sh",
            "broken", "broken:x:many:1::/:/bin/sh");

    private final List<String> asked = new ArrayList<>();
    private long nanos;

    private final SystemAccounts accounts = accounts(false);

    private SystemAccounts accounts(boolean allowRoot) {
        return new SystemAccounts(
                name -> {
                    asked.add(name);
                    return ENTRIES.getOrDefault(name, "");
                },
                allowRoot,
                () -> nanos);
    }

    @Test
    void entry_ofUser_isAccount() throws Exception {
        assertThat(accounts.of("alice"))
                .isEqualTo(new TaskUser.Account("alice", 1001, 1002, "/home/alice", "/bin/zsh"));
        assertThat(accounts.changeUser()).isTrue();
        assertThat(accounts.refusal("bob")).isNull();
    }

    @Test
    void name_ofSomebodyElse_isRefused() throws Exception {
        for (String name : List.of("ALICE", "1001", "bob", "", "a b", "a:b", "a\nb")) {
            assertThat(accounts.of(name)).as(name).isInstanceOf(TaskUser.Refused.class);
        }
        assertThat(asked).containsExactly("ALICE", "1001", "bob");
    }

    @Test
    void root_byAnyName_isRefusedUnlessAllowed() throws Exception {
        assertThat(accounts.of("toor")).isInstanceOf(TaskUser.Refused.class);
        assertThat(accounts(true).of("toor")).isEqualTo(new TaskUser.Account("toor", 0, 0, "/root", "/bin/sh"));
        assertThat(accounts.refusal("root")).startsWith("tasks do not run as root");
        assertThat(accounts.refusal("alice")).isNull();
        assertThat(accounts(true).refusal("root")).isNull();
    }

    @Test
    void answer_afterMinute_isAskedAgain() throws Exception {
        accounts.of("alice");
        nanos = Duration.ofSeconds(59).toNanos();
        accounts.of("alice");
        accounts.of("bob");
        accounts.of("bob");
        assertThat(asked).containsExactly("alice", "bob", "bob");
        nanos = Duration.ofSeconds(60).toNanos();
        accounts.of("alice");
        assertThat(asked).containsExactly("alice", "bob", "bob", "alice");
    }

    @Test
    void malformedEntry_isAFaultOfTheSystem() {
        assertThatThrownBy(() -> accounts.of("broken"))
                .isInstanceOf(IOException.class)
                .hasMessage("malformed entry of user broken");
    }

    @Test
    void accountsOfOneUser_refuseOthers() throws Exception {
        Accounts only = Accounts.only("svc");
        assertThat(only.of("svc")).isEqualTo(new TaskUser.Unchanged());
        assertThat(only.of("bob"))
                .isEqualTo(new TaskUser.Refused("tasks of user bob do not run here: the server runs as svc, who cannot"
                        + " start tasks as others; start it as root, or with --shared-account to run the tasks of all"
                        + " users as svc"));
        assertThat(only.refusal("bob")).startsWith("tasks of user bob do not run here");
        assertThat(Accounts.SHARED.of("bob")).isEqualTo(new TaskUser.Unchanged());
    }
}
