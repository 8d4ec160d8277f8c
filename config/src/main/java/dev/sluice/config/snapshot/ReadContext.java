package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What applications are read within: the instant, the partitions, and what for. */
final class ReadContext {

    private enum Purpose {
        SNAPSHOT("plan", ""),
        RUN("run", " with commands"),
        SIMULATION("simulate", " with durations"),
        SUBMITTED_FILE("submit", ""),
        SUBMISSION("submit", ""),
        ADDITION("add", "");

        private final String verb;
        private final String taskRequirement;

        Purpose(String verb, String taskRequirement) {
            this.verb = verb;
            this.taskRequirement = taskRequirement;
        }
    }

    private final Instant at;
    private final Purpose purpose;
    private final String defaultPartition;
    private final Map<String, KnownPartition> partitions = new LinkedHashMap<>();
    private final Map<String, NameRegistry> nodes = new LinkedHashMap<>();
    private final Map<String, SortedSet<String>> nodeTypes = new HashMap<>();
    private final Map<String, Map<String, Field>> requestedTypes = new LinkedHashMap<>();

    private ReadContext(Instant at, Purpose purpose, List<PartitionConfiguration> configurations) {
        this(at, purpose, configurations, PartitionConfiguration.DEFAULT_NAME);
    }

    private ReadContext(
            Instant at, Purpose purpose, List<PartitionConfiguration> configurations, String defaultPartition) {
        this.at = at;
        this.purpose = purpose;
        this.defaultPartition = defaultPartition;
        configurations.forEach(each -> partitions.put(each.name(), new KnownPartition(each)));
    }

    /** Of a snapshot. */
    static ReadContext ofSnapshot(Instant at, List<PartitionConfiguration> partitions) {
        return new ReadContext(at, Purpose.SNAPSHOT, partitions);
    }

    /** Of a job file that is to be run. */
    static ReadContext ofJobs(Instant at, List<PartitionConfiguration> partitions) {
        return new ReadContext(at, Purpose.RUN, partitions);
    }

    /** Of a job file that is to be simulated. */
    static ReadContext ofSimulation(Instant at, List<PartitionConfiguration> partitions) {
        return new ReadContext(at, Purpose.SIMULATION, partitions);
    }

    /** Of a job file that is sent to a server; what names no partition goes to the default one. */
    static ReadContext ofSubmittedFile(Instant at, List<PartitionConfiguration> partitions, String defaultPartition) {
        return new ReadContext(at, Purpose.SUBMITTED_FILE, partitions, defaultPartition);
    }

    /** Of an application that is sent to a server: it stays open unless it says that it is sealed. */
    static ReadContext ofSubmission(Instant at, List<PartitionConfiguration> partitions) {
        return new ReadContext(at, Purpose.SUBMISSION, partitions);
    }

    /** Of tasks that are added to an application: they may wait for tasks that it has already. */
    static ReadContext ofAddition(Instant at, List<PartitionConfiguration> partitions) {
        return new ReadContext(at, Purpose.ADDITION, partitions);
    }

    Instant at() {
        return at;
    }

    /** What is to be done with all of it, as a verb. */
    String purpose() {
        return purpose.verb;
    }

    /** What every task needs for that, to be put behind "tasks"; may be empty. */
    String taskRequirement() {
        return purpose.taskRequirement;
    }

    /** Whether these are jobs, all of whose tasks wait for their places. */
    boolean isJobFile() {
        return purpose != Purpose.SNAPSHOT;
    }

    /** Whether these are jobs to be run: every task has a command. */
    boolean isRun() {
        return purpose == Purpose.RUN;
    }

    /** Whether these are jobs to be simulated: every task has a duration. */
    boolean isSimulation() {
        return purpose == Purpose.SIMULATION;
    }

    /** Whether all tasks of each application are here, so that those that wait for others can be checked. */
    boolean hasAllTasks() {
        return purpose != Purpose.ADDITION;
    }

    /** Whether applications are sealed that do not say so: files are complete, what a server is sent goes on. */
    boolean isSealedByDefault() {
        return purpose != Purpose.SUBMISSION && purpose != Purpose.ADDITION;
    }

    /** The name that is written under {@code partition}, which must be known if any is. */
    String partitionName(Section section) {
        Field field = section.get("partition");
        String written = field == null ? null : field.asText();
        String name = field == null
                ? defaultPartition
                : written == null || written.equalsIgnoreCase(PartitionConfiguration.DEFAULT_NAME)
                        ? PartitionConfiguration.DEFAULT_NAME
                        : written;
        boolean unreadable = field != null && written == null;
        if (!partitions.isEmpty() && !partitions.containsKey(name) && !unreadable) {
            (field == null ? section.self() : field).unknown("partition", name, partitions.keySet());
        }
        return name;
    }

    /** The partition of this name, or null if it is not known. */
    @Nullable KnownPartition partition(String name) {
        return partitions.get(name);
    }

    /** The names of the nodes of this partition, as far as they have been read. */
    NameRegistry nodes(String partition) {
        return nodes.computeIfAbsent(partition, name -> new NameRegistry());
    }

    /** Takes note of what a node of this partition has. */
    void addNodeTypes(String partition, Resources capacity) {
        SortedSet<String> types = nodeTypes.computeIfAbsent(partition, name -> new TreeSet<>());
        capacity.amounts().forEach((type, amount) -> {
            if (amount.value() > 0) {
                types.add(type);
            }
        });
    }

    /** Takes note of what a task in this partition asks for, written here. */
    void addRequestedTypes(String partition, Resources resources, Field place) {
        Map<String, Field> types = requestedTypes.computeIfAbsent(partition, name -> new LinkedHashMap<>());
        resources.amounts().forEach((type, amount) -> {
            if (amount.value() > 0 && !types.containsKey(type)) {
                types.put(type, place.typePlace(type));
            }
        });
    }

    /** The resource types that tasks ask for, each once in a partition, in the order of the file. */
    List<RequestedType> requestedTypes() {
        List<RequestedType> all = new ArrayList<>();
        requestedTypes.forEach((partition, types) ->
                types.forEach((type, place) -> all.add(RequestedType.of(partition, type, place))));
        return all;
    }

    /** Warns about resource types that tasks ask for and no node has, in partitions of which there are nodes. */
    void warnMissingTypes() {
        requestedTypes.forEach((partition, types) -> {
            SortedSet<String> known = nodeTypes.get(partition);
            types.forEach((type, place) -> {
                if (known != null && !known.contains(type)) {
                    place.warning(RequestedType.of(partition, type, place).message(known));
                }
            });
        });
    }

    /** When an application was submitted; of one that is simulated: an instant, or how long after the beginning. */
    @Nullable Instant submitted(Field field) {
        if (!isSimulation()) {
            return pastInstant(field);
        }
        String text = field.isList() || field.isMap() ? null : field.asText();
        if (text == null || text.indexOf('-') > 0 || text.indexOf(':') >= 0) {
            return field.asInstant();
        }
        Duration after = field.asDuration();
        if (after == null) {
            return null;
        }
        if (after.compareTo(Duration.between(at, WorkloadSubmission.LAST)) > 0) {
            field.problem("this is after the year 9999, where time ends: write less");
            return null;
        }
        return at.plus(after);
    }

    /** An instant that has come already; one that has not is a problem. */
    @Nullable Instant pastInstant(Field field) {
        Instant instant = field.asInstant();
        if (instant != null && instant.isAfter(at)) {
            field.problem(instant + " is after the instant of this file, " + at);
            return null;
        }
        return instant;
    }
}
