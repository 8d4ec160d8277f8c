package dev.sluice.runtime.detached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.machine.CgroupRoot;
import dev.sluice.runtime.machine.RunRequest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunLimitsTest {

    @TempDir
    Path folder;

    /** The shell of a task enters its group some milliseconds after the start; without a group the task would fail. */
    @Test
    void close_detachedRuns_keepsTheirGroups() throws Exception {
        CgroupRoot root = new CgroupRoot(folder, "memory pids");
        RunLimits limits = new RunLimits(root.enforcement(), "a", false);

        List<String> prefix = limits.prefix(new RunFolder(folder.resolve("1.t")), RunRequest.NONE);
        limits.close();

        assertThat(Path.of(prefix.get(prefix.size() - 1)).getParent()).isDirectory();
    }
}
