package dev.sluice.config.queues;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.ReferencePage;
import dev.sluice.config.problem.SpellingHints;
import dev.sluice.core.configuration.AdmissionLimits;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.LoadProperties;
import dev.sluice.core.configuration.PreemptionPolicy;
import dev.sluice.core.configuration.PreemptionProperties;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.ReservationProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.configuration.UsageProperties;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the properties of a queue: Sluice's own and YuniKorn's. */
final class QueuePropertiesReader {

    private static final int PERCENT_MAX = 1_000_000;
    private static final int SPREAD_MAX = 1_000_000;
    private static final Map<String, Boolean> FLAGS = words(new Boolean[] {true, false}, String::valueOf);
    private static final Map<String, SharePolicyKind> SHARE_POLICIES =
            words(SharePolicyKind.values(), SharePolicyKind::wireName);
    private static final Map<String, ApplicationSortPolicy> SORT_POLICIES =
            words(ApplicationSortPolicy.values(), ApplicationSortPolicy::wireName);

    private static final Map<String, PreemptionPolicy> PREEMPTION_POLICIES =
            words(PreemptionPolicy.values(), PreemptionPolicy::wireName);

    private final Map<String, Field> fields;

    private QueuePropertiesReader(Map<String, Field> fields) {
        this.fields = fields;
    }

    private static <E> Map<String, E> words(E[] values, Function<E, String> wireName) {
        return Arrays.stream(values)
                .collect(Collectors.toMap(wireName, value -> value, (a, b) -> a, LinkedHashMap::new));
    }

    /** Reads the properties of the root queue; missing and invalid ones have their defaults. */
    static QueueProperties readRoot(Field map) {
        return read(map, true);
    }

    /** Reads the properties of another queue; missing and invalid ones have their defaults. */
    static QueueProperties read(Field map) {
        return read(map, false);
    }

    private static QueueProperties read(Field map, boolean root) {
        Map<String, Field> fields = map.asMap("properties");
        fields.forEach((key, field) -> {
            if (!QueuePropertyNames.KEYS.names().contains(key)) {
                field.keyProblem(() -> "unknown property " + Field.quoted(key)
                        + SpellingHints.hint(key, QueuePropertyNames.KEYS.names()) + " (see "
                        + ReferencePage.QUEUES.path() + ")");
            } else if (!root && QueuePropertyNames.OF_ROOT.contains(key)) {
                field.keyProblem(
                        () -> key + " applies to a whole partition: move it to the properties of the root queue");
            }
        });
        return new QueuePropertiesReader(fields).read();
    }

    private QueueProperties read() {
        checkYuniKornProperties();
        QueueProperties defaults = QueueProperties.DEFAULTS;
        return new QueueProperties(
                sortPolicy(),
                ignoreCase(QueuePropertyNames.SORT_PRIORITY, Map.of("enabled", true, "disabled", false)),
                whole(QueuePropertyNames.PRIORITY_OFFSET, Integer.MIN_VALUE, Integer.MAX_VALUE, 0),
                Boolean.TRUE.equals(
                        ignoreCase(QueuePropertyNames.PRIORITY_POLICY, Map.of("fence", true, "default", false))),
                or(wireName(QueuePropertyNames.SHARE_POLICY, "share policy", SHARE_POLICIES), defaults.sharePolicy()),
                new LoadProperties(
                        fields.containsKey(QueuePropertyNames.LOAD_PERCENT)
                                ? (Integer) whole(QueuePropertyNames.LOAD_PERCENT, 0, PERCENT_MAX, 0)
                                : null,
                        whole(
                                QueuePropertyNames.REBALANCE_THRESHOLD,
                                0,
                                SPREAD_MAX,
                                defaults.load().rebalanceThreshold()),
                        duration(
                                QueuePropertyNames.REBALANCE_DURATION,
                                false,
                                defaults.load().rebalanceMinimumDuration())),
                new UsageProperties(
                        duration(
                                QueuePropertyNames.USAGE_HALFTIME,
                                false,
                                defaults.usage().halftime()),
                        or(
                                wireName(QueuePropertyNames.USAGE_PROBABILISTIC, "value", FLAGS),
                                defaults.usage().probabilisticAll()),
                        atLeastOne(
                                QueuePropertyNames.USAGE_DRAWS, defaults.usage().drawsMax()),
                        factor(defaults.usage().factor())),
                durationOrNull(QueuePropertyNames.TASK_TIMEOUT, false),
                new AdmissionLimits(
                        limit(QueuePropertyNames.ADMISSION_USERS), limit(QueuePropertyNames.ADMISSION_PER_USER)),
                preemption(),
                new ReservationProperties(
                        durationOrNull(QueuePropertyNames.RESERVATION_DELAY, true),
                        fields.containsKey(QueuePropertyNames.RESERVATIONS_MAX)
                                ? (Integer) whole(QueuePropertyNames.RESERVATIONS_MAX, 0, Integer.MAX_VALUE, 0)
                                : null,
                        fields.containsKey(QueuePropertyNames.RESERVATIONS_DELAYS_MAX)
                                ? (Integer) whole(QueuePropertyNames.RESERVATIONS_DELAYS_MAX, 1, Integer.MAX_VALUE, 1)
                                : null));
    }

    private PreemptionProperties preemption() {
        return new PreemptionProperties(
                or(ignoreCase(QueuePropertyNames.PREEMPTION_POLICY, PREEMPTION_POLICIES), PreemptionPolicy.DEFAULT),
                durationOrNull(QueuePropertyNames.PREEMPTION_DELAY, false),
                ignoreCase(QueuePropertyNames.PREEMPTION_PRIORITY, Map.of("enabled", true, "disabled", false)),
                durationOrNull(QueuePropertyNames.PREEMPTION_MINIMUM_RUNTIME, true),
                duration(QueuePropertyNames.QUOTA_PREEMPTION_DELAY, true, Duration.ZERO));
    }

    private void checkYuniKornProperties() {
        duration(QueuePropertyNames.BACKOFF_DELAY, false, Duration.ZERO);
        Field backoff = fields.get(QueuePropertyNames.BACKOFF);
        if (backoff != null) {
            backoff.asLongText(0, Long.MAX_VALUE);
        }
    }

    private static <T> T or(@Nullable T value, T whenMissing) {
        return value == null ? whenMissing : value;
    }

    private @Nullable ApplicationSortPolicy sortPolicy() {
        Field field = fields.get(QueuePropertyNames.SORT_POLICY);
        if (field == null || field.isNull() || (!field.isList() && !field.isMap() && "".equals(field.asText()))) {
            return null;
        }
        return field.asEnum("sort policy", SORT_POLICIES);
    }

    private <E> @Nullable E wireName(String key, String what, Map<String, E> words) {
        Field field = fields.get(key);
        return field == null ? null : field.asEnum(what, words);
    }

    /** One of these words, in upper or lower case. */
    private <E> @Nullable E ignoreCase(String key, Map<String, E> words) {
        Field field = fields.get(key);
        if (field == null) {
            return null;
        }
        if (field.isList() || field.isMap()) {
            return field.asEnum("value of " + key, words);
        }
        String wireName = field.asText();
        E meant = wireName == null ? null : words.get(wireName.toLowerCase(Locale.ROOT));
        if (meant == null && wireName != null) {
            field.unknown(
                    "value of " + key,
                    wireName,
                    words.keySet().stream().sorted().toList());
        }
        return meant;
    }

    private int whole(String key, int min, int max, int whenMissing) {
        Field field = fields.get(key);
        Long number = field == null ? null : field.asLongText(min, max);
        return number == null ? whenMissing : number.intValue();
    }

    private long limit(String key) {
        Field field = fields.get(key);
        return or(field == null ? null : field.asLongText(0, Long.MAX_VALUE), 0L);
    }

    private long atLeastOne(String key, long whenMissing) {
        Field field = fields.get(key);
        return or(field == null ? null : field.asLongText(1, Long.MAX_VALUE), whenMissing);
    }

    private Duration duration(String key, boolean zeroAllowed, Duration whenMissing) {
        return or(durationOrNull(key, zeroAllowed), whenMissing);
    }

    private @Nullable Duration durationOrNull(String key, boolean zeroAllowed) {
        Field field = fields.get(key);
        Duration duration = field == null ? null : field.asDuration();
        if (field != null && duration != null && duration.isZero() && !zeroAllowed) {
            field.problem(key + " must be greater than 0, such as 30s");
            return null;
        }
        return duration;
    }

    private double factor(double whenMissing) {
        Field field = fields.get(QueuePropertyNames.USAGE_FACTOR);
        Double number = field == null ? null : field.asDoubleText();
        if (field == null || number == null) {
            return whenMissing;
        }
        if (!(number > 0)) {
            field.problem(QueuePropertyNames.USAGE_FACTOR + " must be greater than 0, not " + number);
            return whenMissing;
        }
        return number;
    }
}
