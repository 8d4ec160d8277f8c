package dev.sluice.simulator.workload.csv;

import dev.sluice.config.field.Field;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.FailurePolicy;
import dev.sluice.core.application.StartConditions;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import dev.sluice.simulator.workload.Arrival;
import dev.sluice.simulator.workload.ArrivalStream;
import dev.sluice.simulator.workload.MalformedLines;
import dev.sluice.simulator.workload.lines.InternCache;
import dev.sluice.simulator.workload.lines.LongSet;
import dev.sluice.simulator.workload.lines.MalformedLineCounter;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The applications in a table. Rows that the mapping excludes count as lines, but not as malformed ones.
 *
 * <p>Ids are compared by a 64-bit hash: the probability that any two of ten million distinct ids collide is below one
 * in a hundred thousand.
 */
final class CsvArrivals implements ArrivalStream {

    private static final String TASK = "task";
    private static final String LINE = "line";
    private static final long HASH_BASIS = 0xcbf29ce484222325L;
    private static final long HASH_PRIME = 0x100000001b3L;

    private final CsvTable table;
    private final ApplicationMapping mapping;
    private final CsvRows rows;
    private final MalformedLineCounter tally;
    private final LongSet ids = new LongSet();
    private final InternCache<String, String> texts = new InternCache<>(text -> text);
    private final InternCache<List<String>, List<String>> groups = new InternCache<>(List::copyOf);
    private final InternCache<RowDemand, List<TaskSpec>> tasks = new InternCache<>(this::task);

    /** The properties shared by tasks with equal requests. */
    private record RowDemand(List<Long> amounts, int priority, SortedMap<String, String> nodeSelector) {}

    CsvArrivals(CsvTable table, ApplicationMapping mapping) throws IOException {
        this.table = table;
        this.mapping = mapping;
        this.tally = new MalformedLineCounter(table.file().toString());
        this.rows = table.open();
    }

    @Override
    public @Nullable Arrival next() throws IOException {
        while (rows.next()) {
            tally.line();
            table.checkColumns(rows);
            if (rows.fault() == null && isLeftOut()) {
                continue;
            }
            Arrival arrival = rows.fault() == null ? arrival() : null;
            CsvRows.RowFault fault = rows.fault();
            if (fault != null) {
                tally.malformed(fault.line(), fault.column(), fault.reason());
            } else if (arrival != null) {
                return arrival;
            }
        }
        return null;
    }

    @Override
    public MalformedLines malformed() {
        return tally.malformedLines();
    }

    @Override
    public void close() throws IOException {
        rows.close();
    }

    private boolean isLeftOut() {
        for (ExclusionRule rule : mapping.exclusions()) {
            if (rule.excludes(rows)) {
                return true;
            }
        }
        for (LabelSource label : mapping.nodeSelector()) {
            if (label.excludes(rows)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the application of this row; unusable after a fault. */
    private @Nullable Arrival arrival() {
        Instant submitted = mapping.submitted().read(rows);
        Duration duration = mapping.duration().read(rows);
        String user = shared(mapping.user(), "a user");
        String queue = shared(mapping.queue(), "a queue");
        String name = shared(mapping.name(), "a name");
        List<TaskSpec> specs = tasks();
        List<String> userGroups = groups();
        SortedMap<String, String> tags = tags();
        String id = id();
        if (submitted == null || duration == null || id == null || rows.fault() != null) {
            return null;
        }
        String submitter = user == null ? ApplicationSpec.NOBODY : user;
        ApplicationSpec application = new ApplicationSpec(
                id,
                name == null ? submitter : name,
                queue == null ? null : queue.toLowerCase(Locale.ROOT),
                submitter,
                userGroups,
                tags,
                null,
                null,
                true,
                FailurePolicy.CONTINUE,
                StartConditions.NONE,
                specs);
        return new Arrival(submitted, PartitionConfiguration.DEFAULT_NAME, application, List.of(duration));
    }

    /** Returns the id. Call it only for a row without other faults, because it marks the id as used. */
    private @Nullable String id() {
        TextSource source = mapping.id();
        if (source == null) {
            return LINE + rows.line();
        }
        String id = source.read(rows, "an id");
        if (id == null) {
            rows.fail(source.column(), "empty field: expected an id");
        } else if (rows.fault() == null && !ids.add(hash(id))) {
            rows.fail(source.column(), "duplicate application id " + Field.quoted(id));
        }
        return id;
    }

    /** Returns the 64-bit FNV-1a hash (Fowler, Noll, Vo) of the characters. */
    private static long hash(String text) {
        long hash = HASH_BASIS;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ (text.charAt(i) & 0xff)) * HASH_PRIME;
            hash = (hash ^ (text.charAt(i) >>> 8)) * HASH_PRIME;
        }
        return hash;
    }

    private List<TaskSpec> tasks() {
        List<Long> amounts = new ArrayList<>();
        for (AmountSource source : mapping.resources()) {
            amounts.add(source.read(rows, RoundingMode.CEILING));
        }
        int priority = priority();
        SortedMap<String, String> nodeSelector = new TreeMap<>();
        for (LabelSource source : mapping.nodeSelector()) {
            String value = source.read(rows);
            if (value != null) {
                nodeSelector.put(source.label(), value);
            }
        }
        if (rows.fault() != null) {
            return List.of();
        }
        return tasks.get(new RowDemand(List.copyOf(amounts), priority, nodeSelector));
    }

    private List<TaskSpec> task(RowDemand demand) {
        return List.of(TaskSpec.single(TASK, resources(demand.amounts))
                .withPriority(demand.priority)
                .withConstraints(demand.nodeSelector, null));
    }

    /** Returns the amounts by type, without zero amounts. */
    private Resources resources(List<Long> amounts) {
        SortedMap<String, Amount> resources = new TreeMap<>();
        for (int i = 0; i < amounts.size(); i++) {
            if (amounts.get(i) > 0) {
                resources.put(mapping.resources().get(i).type(), new Amount(amounts.get(i)));
            }
        }
        return Resources.of(resources);
    }

    private int priority() {
        TextSource source = mapping.priority();
        String text = source == null ? null : source.read(rows, "a priority");
        if (source == null || text == null) {
            return 0;
        }
        BigDecimal number = DecimalText.parse(text);
        if (number != null && number.abs().compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) <= 0) {
            BigDecimal whole = number.setScale(0, RoundingMode.DOWN);
            if (whole.compareTo(number) == 0) {
                return whole.intValueExact();
            }
        }
        rows.fail(
                Math.max(0, source.column()),
                Field.quoted(text) + " is not a valid priority: expected an integer of at most " + Integer.MAX_VALUE);
        return 0;
    }

    private List<String> groups() {
        if (mapping.groups().isEmpty()) {
            return List.of();
        }
        List<String> named = new ArrayList<>();
        for (TextSource source : mapping.groups()) {
            String group = shared(source, "a group");
            if (group != null) {
                named.add(group);
            }
        }
        return groups.get(List.copyOf(named));
    }

    private SortedMap<String, String> tags() {
        SortedMap<String, String> tags = new TreeMap<>();
        for (Map.Entry<String, TextSource> each : mapping.tags().entrySet()) {
            String text = shared(each.getValue(), "a tag");
            if (text != null) {
                tags.put(each.getKey(), text);
            }
        }
        return tags;
    }

    /** Returns the text of this source for the row, interned. */
    private @Nullable String shared(@Nullable TextSource source, String what) {
        String text = source == null ? null : source.read(rows, what);
        return text == null ? null : texts.get(text);
    }
}
