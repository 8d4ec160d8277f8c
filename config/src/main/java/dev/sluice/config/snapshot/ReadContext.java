package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.ResourcesInterner;
import dev.sluice.config.field.Section;
import dev.sluice.config.matrix.ExpansionLimit;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The context in which applications are read: the instant, the partitions and the purpose. */
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
    private final Map<String, KnownPartition> partitions;
    private final ResourcesInterner amounts;
    private final Map<String, NameRegistry> nodes = new LinkedHashMap<>();
    private final Map<String, SortedSet<String>> nodeTypes = new HashMap<>();
    private final Map<String, Set<Map.Entry<String, String>>> nodeLabels = new HashMap<>();
    private final Map<String, Map<String, LargestRequest>> requestedTypes = new LinkedHashMap<>();

    private final ExpansionLimit expansionLimit = new ExpansionLimit();
    private SubmissionOrigin origin = SubmissionOrigin.UNKNOWN;

    private ReadContext(
            Instant at,
            Purpose purpose,
            Map<String, KnownPartition> partitions,
            String defaultPartition,
            ResourcesInterner amounts) {
        this.at = at;
        this.purpose = purpose;
        this.partitions = partitions;
        this.defaultPartition = defaultPartition;
        this.amounts = amounts;
    }

    private static ReadContext ofFile(Instant at, Purpose purpose, List<PartitionConfiguration> partitions) {
        return new ReadContext(
                at,
                purpose,
                KnownPartition.byName(partitions),
                PartitionConfiguration.DEFAULT_NAME,
                new ResourcesInterner());
    }

    /** Returns the context of a snapshot. */
    static ReadContext ofSnapshot(Instant at, List<PartitionConfiguration> partitions) {
        return ofFile(at, Purpose.SNAPSHOT, partitions);
    }

    /** Returns the context of a job file to run. */
    static ReadContext ofJobs(Instant at, List<PartitionConfiguration> partitions) {
        return ofFile(at, Purpose.RUN, partitions);
    }

    /** Returns the context of a job file to simulate. */
    static ReadContext ofSimulation(Instant at, List<PartitionConfiguration> partitions) {
        return ofFile(at, Purpose.SIMULATION, partitions);
    }

    /** Returns the context of a job file sent to a server; applications without a partition go to the default one. */
    static ReadContext ofSubmittedFile(
            Instant at, Map<String, KnownPartition> partitions, String defaultPartition, ResourcesInterner amounts) {
        return new ReadContext(at, Purpose.SUBMITTED_FILE, partitions, defaultPartition, amounts);
    }

    /** Returns the context of an application sent to a partition of a server, which is not sealed by default. */
    static ReadContext ofSubmission(
            Instant at, Map<String, KnownPartition> partitions, String partition, ResourcesInterner amounts) {
        return new ReadContext(at, Purpose.SUBMISSION, partitions, partition, amounts);
    }

    /** Returns the context of tasks added to an application, which may depend on its existing tasks. */
    static ReadContext ofAddition(
            Instant at, Map<String, KnownPartition> partitions, String partition, ResourcesInterner amounts) {
        return new ReadContext(at, Purpose.ADDITION, partitions, partition, amounts);
    }

    /** Returns the labels of the nodes of a partition that were read, to which the caller may add some. */
    Set<Map.Entry<String, String>> nodeLabels(String partition) {
        return nodeLabels.computeIfAbsent(partition, key -> new HashSet<>());
    }

    Instant at() {
        return at;
    }

    /** Sets where the tasks are submitted from, and returns this context. */
    ReadContext from(SubmissionOrigin newOrigin) {
        origin = newOrigin;
        return this;
    }

    /** Returns where the tasks are submitted from. */
    SubmissionOrigin origin() {
        return origin;
    }

    /** Returns the limit of what matrices of the document make. */
    ExpansionLimit expansionLimit() {
        return expansionLimit;
    }

    /** Returns the purpose as a verb. */
    String purpose() {
        return purpose.verb;
    }

    /** Returns what every task needs for the purpose, as a phrase to append to "tasks"; may be empty. */
    String taskRequirement() {
        return purpose.taskRequirement;
    }

    /** Returns whether these are jobs, all tasks of which are pending. */
    boolean isJobFile() {
        return purpose != Purpose.SNAPSHOT;
    }

    /** Returns whether these are jobs to run: every task needs a command. */
    boolean isRun() {
        return purpose == Purpose.RUN;
    }

    /** Returns whether these are jobs to simulate: every task needs a duration. */
    boolean isSimulation() {
        return purpose == Purpose.SIMULATION;
    }

    /** Returns whether a held application can be released: not in local runs and simulations. */
    boolean canRelease() {
        return !isRun() && !isSimulation();
    }

    /** Returns whether all tasks of each application are in the file, so that dependencies can be checked. */
    boolean hasAllTasks() {
        return purpose != Purpose.ADDITION;
    }

    /** Returns whether applications are sealed by default: those of files are, those sent to a server are not. */
    boolean isSealedByDefault() {
        return purpose != Purpose.SUBMISSION && purpose != Purpose.ADDITION;
    }

    /** Returns the value of {@code partition}, which must be a known partition if any are known. */
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
        } else if (field != null && purpose == Purpose.SUBMISSION && !unreadable && !name.equals(defaultPartition)) {
            field.problem("this is a submission to partition " + defaultPartition + ": remove partition, or submit to "
                    + name);
        }
        return name;
    }

    /** Returns the partition of this name, or null if it is unknown. */
    @Nullable KnownPartition partition(String name) {
        return partitions.get(name);
    }

    /** Returns the names of the nodes of this partition that were read so far. */
    NameRegistry nodes(String partition) {
        return nodes.computeIfAbsent(partition, name -> new NameRegistry());
    }

    /** Records the resource types of a node of this partition. */
    void addNodeTypes(String partition, Resources capacity) {
        SortedSet<String> types = nodeTypes.computeIfAbsent(partition, name -> new TreeSet<>());
        capacity.amounts().forEach((type, amount) -> {
            if (amount.value() > 0) {
                types.add(type);
            }
        });
    }

    /** Reads what a task of this partition requests, and records its resource types with their position. */
    Resources requested(String partition, Field field) {
        Resources resources = amounts.read(field);
        if (purpose != Purpose.SUBMISSION && purpose != Purpose.ADDITION) {
            Map<String, LargestRequest> types =
                    requestedTypes.computeIfAbsent(partition, name -> new LinkedHashMap<>());
            resources.amounts().forEach((type, amount) -> {
                LargestRequest known = types.get(type);
                if (amount.value() > 0 && (known == null || known.amount().compareTo(amount) < 0)) {
                    types.put(type, new LargestRequest(amount, field.typePosition(type)));
                }
            });
        }
        return resources;
    }

    /** The largest amount of a resource type that a task requests. */
    private record LargestRequest(Amount amount, Field position) {}

    /** Returns the requested resource types, each once per partition, in the order of the file. */
    List<RequestedType> requestedTypes() {
        List<RequestedType> all = new ArrayList<>();
        requestedTypes.forEach((partition, types) -> types.forEach(
                (type, largest) -> all.add(RequestedType.of(partition, type, largest.amount(), largest.position()))));
        return all;
    }

    /** Warns about requested resource types that no node has, in partitions with nodes. */
    void warnMissingTypes() {
        requestedTypes.forEach((partition, types) -> {
            SortedSet<String> known = nodeTypes.get(partition);
            types.forEach((type, largest) -> {
                if (known != null && !known.contains(type)) {
                    Field position = largest.position();
                    position.warning(RequestedType.of(partition, type, largest.amount(), position)
                            .message(known));
                }
            });
        });
    }

    /** Reads when an application was submitted; in a simulation an instant, or a duration after the start. */
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
            field.problem("must be before year 10000");
            return null;
        }
        return at.plus(after);
    }

    /**
     * Reads the instant before which an application does not start: an instant, a local time in the time zone of this
     * machine, or a duration after the instant of the file with a plus sign.
     */
    @Nullable Instant notBefore(Field field) {
        if (isSimulation()) {
            field.problem("notbefore has no effect in a simulation: use submitted");
            return null;
        }
        return field.asStartTime(at);
    }

    /** Reads an instant that must not be after the instant of the file. */
    @Nullable Instant pastInstant(Field field) {
        Instant instant = field.asInstant();
        if (instant != null && instant.isAfter(at)) {
            field.problem(instant + " is after the instant of the file, " + at);
            return null;
        }
        return instant;
    }
}
