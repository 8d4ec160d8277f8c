package dev.sluice.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class ProcessUserTest {

    @Test
    void status_ofProgramOfAnotherEffectiveUser_givesRealUser() {
        assertThat(ProcessUser.parse("Name:\tsu\nState:\tS (sleeping)\nUid:\t1001\t0\t0\t0\nGid:\t1001\t1001\n"))
                .isEqualTo(1001);
        assertThat(ProcessUser.parse("Name:\tsu\n")).isEqualTo(ProcessUser.UNKNOWN);
    }

    @Test
    void process_endedByUser_endsOnlyIfItIsHis() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/self/status")), "there is no /proc");
        Process process = new ProcessBuilder("sleep", "1000").start();
        long user = ProcessUser.ofThisProgram();
        assertThat(ProcessUser.of(process.pid())).isEqualTo(user);
        ProcessUser.end(process.pid(), user + 1, true);
        ProcessUser.end(process.pid(), user, false);
        assertThat(process.waitFor()).isEqualTo(128 + 15);
        assertThat(ProcessUser.of(process.pid())).isEqualTo(ProcessUser.UNKNOWN);
    }
}
