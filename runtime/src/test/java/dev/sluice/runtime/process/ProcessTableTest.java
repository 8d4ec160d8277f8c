package dev.sluice.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ProcessTableTest {

    @Test
    void procEntry_nameWithBlanksAndBrackets_isParsed() {
        assertThat(ProcTable.parse("123 (a ) Z b)) S 1 120 100 0 -1 4194560 0 0"))
                .isEqualTo(new ProcessTable.Row(123, 120, 100));
    }

    @Test
    void procEntry_ofZombie_isIgnored() {
        assertThat(ProcTable.parse("123 (a) Z 1 120 100 0 -1 4194560")).isNull();
    }

    @Test
    void procEntry_truncated_isIgnored() {
        assertThat(ProcTable.parse("123 (a) S 1")).isNull();
        assertThat(ProcTable.parse("")).isNull();
    }

    @Test
    void tables_ofThisMachine_agreeOnThisProcess() {
        long self = ProcessHandle.current().pid();
        ProcessTable.Row row = new PsTable()
                .read().stream().filter(r -> r.pid() == self).findFirst().orElseThrow();
        assertThat(ProcessTable.ofThisSystem().read())
                .anySatisfy(
                        other -> assertThat(other).extracting("pid", "group").containsExactly(self, row.group()));
    }
}
