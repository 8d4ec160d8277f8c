package dev.sluice.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.snapshot.JobFile;
import dev.sluice.config.snapshot.JobFileReader;
import dev.sluice.core.command.Command;
import dev.sluice.runtime.machine.Gpus;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class JobsTest {

    private static Jobs jobs(String text) {
        JobFile file = JobFileReader.read("jobs.yaml", text, Instant.EPOCH).value();
        return Jobs.of(file, 0, Gpus.NONE, "me", null);
    }

    @Test
    void notBefore_ofRun_replacesThatOfFile() {
        Instant given = Instant.EPOCH.plusSeconds(60);
        JobFile file = JobFileReader.read("jobs.yaml", "{notbefore: +2h, tasks: [{id: t, command: x}]}", Instant.EPOCH)
                .value();

        assertThat(Jobs.of(file, 0, Gpus.NONE, "me", given).commands())
                .filteredOn(Command.SubmitApplication.class::isInstance)
                .extracting(each ->
                        ((Command.SubmitApplication) each).application().start().notBefore())
                .containsExactly(given);
    }

    @Test
    void seed_ofAJobFile_isThatOfEveryPartition() {
        assertThat(jobs("""
                seed: 7
                partitions: [{name: default, queues: [{name: root, queues: [{name: a}]}]}, {name: other, queues: [{name: a}]}]
                nodes: [{name: n, capacity: {vcore: 1}}]
                queue: root.a
                tasks: [{id: t, command: x}]
                """).commands()).contains(new Command.SetSeed("default", 7), new Command.SetSeed("other", 7));
    }

    @Test
    void usagePriority_ofJobFile_comesLast() {
        Jobs jobs =
                jobs("queues: [{path: root.default, usagepriority: 3.5}, {path: root}]\ntasks: [{id: t, command: x}]");

        assertThat(jobs.usagePriorities())
                .containsExactly(new Command.SetUsagePriority("default", "root.default", 3.5));
        assertThat(jobs.commands()).doesNotContainAnyElementsOf(jobs.usagePriorities());
    }

    @Test
    void application_withoutId_getsNameOrFreeNumber() {
        String task = ", tasks: [{id: t, command: x}]}";
        String text = "applications: [{name: night" + task + ", {name: night" + task + ", {name: day" + task
                + ", {id: day" + task + "]";

        assertThat(jobs(text).commands())
                .filteredOn(Command.SubmitApplication.class::isInstance)
                .extracting(
                        each -> ((Command.SubmitApplication) each).application().id())
                .containsExactly("night", "night-2", "day-2", "day");
    }
}
