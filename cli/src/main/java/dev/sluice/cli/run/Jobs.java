package dev.sluice.cli.run;

import dev.sluice.config.snapshot.ApplicationEntry;
import dev.sluice.config.snapshot.JobFile;
import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.config.snapshot.QueueEntry;
import dev.sluice.config.snapshot.TaskEntry;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.runtime.host.TaskAdmission;
import dev.sluice.runtime.local.LocalMachine;
import dev.sluice.runtime.machine.Gpus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The commands that submit a job file to the scheduler on this machine. */
public final class Jobs {

    private final List<Command> commands = new ArrayList<>();
    private final List<Command.SetUsagePriority> usagePriorities = new ArrayList<>();
    private List<NodeEntry> nodes = List.of();
    private int applicationCount;
    private long taskCount;
    private @Nullable Instant notBefore;

    private Jobs() {}

    /**
     * Returns the jobs of a file.
     *
     * @param slots maximum number of tasks at a time; 0 is limited by the cores
     * @param gpus GPUs of this machine
     * @param user user of applications without one
     * @param notBefore instant before which nothing starts; null is that of the file
     * @throws JobException if they cannot run here
     */
    public static Jobs of(JobFile file, int slots, Gpus gpus, String user, @Nullable Instant notBefore) {
        Jobs jobs = new Jobs();
        jobs.notBefore = notBefore;
        jobs.commands.add(new Command.ApplyConfiguration(file.partitions()));
        file.partitions().forEach(each -> jobs.commands.add(new Command.SetSeed(each.name(), file.seed())));
        boolean ownNode = file.nodes().isEmpty();
        jobs.nodes = ownNode ? List.of(localNode(file, slots, gpus)) : file.nodes();
        jobs.nodes.forEach(jobs::register);
        if (!ownNode && slots > 0) {
            throw new JobException("--slots has no effect on a file with nodes: remove --slots");
        }
        Set<String> taken = new HashSet<>();
        file.applications().stream()
                .filter(each -> !each.numbered())
                .forEach(each -> taken.add(each.partition() + "/" + each.id()));
        for (ApplicationEntry application : file.applications()) {
            jobs.submit(application.numbered() ? numbered(application, taken) : application, user);
        }
        file.queues().forEach(jobs::setUsagePriority);
        return jobs;
    }

    /** Returns the application with its name as its id, followed by a number if another one has it. */
    private static ApplicationEntry numbered(ApplicationEntry entry, Set<String> taken) {
        String id = entry.name();
        for (int number = 2; !taken.add(entry.partition() + "/" + id); number++) {
            id = ApplicationSpec.numberedId(entry.name(), number);
        }
        return entry.named(id, null);
    }

    private static NodeEntry localNode(JobFile file, int slots, Gpus gpus) {
        if (file.partitions().size() > 1) {
            throw new JobException(file.partitions().size()
                    + " partitions and no nodes: add nodes that divide this machine among the partitions");
        }
        return LocalMachine.node(file.partitions().get(0).name(), slots, gpus);
    }

    private void register(NodeEntry node) {
        for (int i = 0; i < node.size(); i++) {
            commands.addAll(node.commands(i));
        }
    }

    private void setUsagePriority(QueueEntry entry) {
        Double priority = entry.usagePriority();
        if (priority != null) {
            usagePriorities.add(new Command.SetUsagePriority(entry.partition(), entry.path(), priority));
        }
    }

    private void submit(ApplicationEntry entry, String user) {
        ApplicationSpec spec = entry.spec();
        List<TaskSpec> specs = entry.tasks().stream().map(TaskEntry::spec).toList();
        for (TaskSpec each : specs) {
            String refusal = TaskAdmission.ofProcesses(entry.partition()).refusal(entry.partition(), each);
            if (refusal != null) {
                throw new JobException(refusal);
            }
        }
        applicationCount++;
        taskCount += specs.stream().mapToLong(TaskSpec::size).sum();
        ApplicationSpec submitted = spec.withUser(spec.user().equals(ApplicationSpec.NOBODY) ? user : spec.user())
                .withSealed(true)
                .withTasks(specs);
        if (notBefore != null) {
            submitted = submitted.withStart(submitted.start().withNotBefore(notBefore));
        }
        commands.add(new Command.SubmitApplication(entry.partition(), submitted));
    }

    /** Returns the commands in order. */
    public List<Command> commands() {
        return commands;
    }

    /**
     * Returns past usage of queues, to be applied after the other commands; the scheduler rejects it where usage has no
     * effect.
     */
    public List<Command.SetUsagePriority> usagePriorities() {
        return usagePriorities;
    }

    /**
     * Returns a new scheduler to which they were submitted, and which has started nothing.
     *
     * @throws JobException if it refuses one
     */
    public Scheduler scheduler(Instant now) {
        Scheduler scheduler = new Scheduler();
        for (Command command : commands) {
            Refusal refusal = scheduler.handle(command, now).refusal();
            if (refusal != null) {
                throw new JobException(refusal.message());
            }
        }
        usagePriorities.forEach(each -> scheduler.handle(each, now));
        return scheduler;
    }

    /** Returns the nodes of the file, or this machine. */
    public List<NodeEntry> nodes() {
        return nodes;
    }

    /** Returns the number of GPUs of all nodes. */
    public long gpus() {
        return nodes.stream()
                .mapToLong(node ->
                        node.size() * node.capacity().amount(Gpus.RESOURCE).value())
                .sum();
    }

    public int applications() {
        return applicationCount;
    }

    public long tasks() {
        return taskCount;
    }
}
