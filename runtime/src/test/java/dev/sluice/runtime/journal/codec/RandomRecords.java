package dev.sluice.runtime.journal.codec;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Reservation;
import dev.sluice.core.state.ReservationEvent;
import dev.sluice.core.state.TaskEvent;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Random values of any record, created by its constructor from random components, so new components are covered
 * automatically.
 */
public final class RandomRecords {

    private static final int TRIES = 10_000;
    private static final int DEPTH_MAX = 12;

    private final Random random;
    private int depth;

    public RandomRecords(long seed) {
        random = new Random(seed);
    }

    /** Returns all records of a sealed interface, including those of nested sealed interfaces. */
    public static List<Class<?>> kinds(Class<?> sealed) {
        if (sealed.isRecord()) {
            return List.of(sealed);
        }
        List<Class<?>> kinds = new ArrayList<>();
        for (Class<?> part : sealed.getPermittedSubclasses()) {
            kinds.addAll(kinds(part));
        }
        return kinds;
    }

    /** Returns a random event of this kind. */
    public Event event(Class<?> kind) {
        Event event = (Event) record(kind);
        if (event instanceof TaskEvent.Stopping stopping && stopping.beneficiary() != null) {
            TaskRef beneficiary = within(stopping.partition(), stopping.beneficiary());
            return new TaskEvent.Stopping(stopping.allocation(), stopping.reason(), beneficiary, stopping.at());
        }
        if (event instanceof ReservationEvent.Made made) {
            return new ReservationEvent.Made(within(made.partition(), made.reservation()), made.at());
        }
        return event instanceof ReservationEvent.Ended ended
                ? new ReservationEvent.Ended(within(ended.partition(), ended.reservation()), ended.reason(), ended.at())
                : event;
    }

    /** Returns the task in this partition, which is therefore not stored. */
    private static TaskRef within(String partition, TaskRef task) {
        return new TaskRef(partition, task.application(), task.task(), task.index());
    }

    private static Reservation within(String partition, Reservation reservation) {
        RunRef overrun = reservation.overrun();
        return new Reservation(
                reservation.task(),
                reservation.origin(),
                reservation.capacity(),
                reservation.start(),
                reservation.since(),
                reservation.delays(),
                overrun == null ? null : new RunRef(within(partition, overrun.task()), overrun.attempt()));
    }

    /** Returns a random value of this record. */
    Object record(Class<?> kind) {
        for (int i = 0; i < TRIES; i++) {
            depth++;
            try {
                return make(kind);
            } catch (InvocationTargetException e) {
                if (!(e.getCause() instanceof IllegalArgumentException)
                        && !(e.getCause() instanceof IllegalStateException)) {
                    throw new AssertionError(e);
                }
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(e.getMessage(), e);
            } finally {
                depth--;
            }
        }
        throw new AssertionError("cannot create a valid " + kind);
    }

    private Object make(Class<?> kind) throws ReflectiveOperationException {
        RecordComponent[] components = kind.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        @Nullable Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            AnnotatedType type = components[i].getAnnotatedType();
            boolean none = type.isAnnotationPresent(Nullable.class) && (depth > DEPTH_MAX || random.nextBoolean());
            values[i] = none ? null : value(type.getType());
        }
        Constructor<?> constructor = kind.getDeclaredConstructor(types);
        constructor.setAccessible(true);
        return constructor.newInstance(values);
    }

    private Object value(Type type) {
        if (type instanceof ParameterizedType parameterized) {
            return collection(parameterized);
        }
        Class<?> plain = (Class<?>) type;
        if (plain == String.class) {
            return text();
        } else if (plain == boolean.class || plain == Boolean.class) {
            return random.nextBoolean();
        } else if (plain == int.class || plain == Integer.class) {
            return (int) number();
        } else if (plain == long.class) {
            return number();
        } else if (plain == double.class || plain == Double.class) {
            return decimal();
        } else if (plain == Instant.class) {
            return instant();
        } else if (plain == Duration.class) {
            return random.nextInt(3) == 0 ? Duration.ZERO : Duration.ofSeconds(number(), nanos());
        } else if (plain == Resources.class) {
            return resources();
        } else if (plain.isEnum()) {
            Object[] constants = plain.getEnumConstants();
            return constants[random.nextInt(constants.length)];
        } else if (plain.isRecord()) {
            return record(plain);
        }
        throw new AssertionError("unknown type " + type);
    }

    private Object collection(ParameterizedType type) {
        Type[] arguments = type.getActualTypeArguments();
        int size = depth > DEPTH_MAX / 2 ? 0 : random.nextInt(3) * random.nextInt(3);
        if (type.getRawType() == List.class) {
            List<Object> list = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                list.add(value(arguments[0]));
            }
            return list;
        }
        Map<Object, Object> map = type.getRawType() == SortedMap.class ? new TreeMap<>() : new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
            map.put(value(arguments[0]), value(arguments[1]));
        }
        return map;
    }

    private String text() {
        return switch (random.nextInt(12)) {
            case 0 -> "";
            case 1 -> "x".repeat(random.nextInt(1000));
            case 2 -> characters(1 + random.nextInt(20), 0x10000); // includes unpaired surrogates
            case 3 -> characters(1 + random.nextInt(300), 0x100);
            case 4, 5 -> "app-" + random.nextInt(10);
            default -> characters(1 + random.nextInt(8), 0x7F);
        };
    }

    private String characters(int length, int bound) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((char) random.nextInt(bound));
        }
        return text.toString();
    }

    private long number() {
        return switch (random.nextInt(8)) {
            case 0 -> 0;
            case 1 -> random.nextInt();
            case 2 -> random.nextLong();
            case 3 ->
                Arrays.asList(Long.MAX_VALUE, Long.MIN_VALUE, (long) Integer.MAX_VALUE, -1L)
                        .get(random.nextInt(4));
            default -> random.nextInt(200);
        };
    }

    private double decimal() {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> 1;
            case 2 -> 1 + random.nextInt(100) / 8.0;
            default -> random.nextGaussian() * 1e9;
        };
    }

    private Instant instant() {
        return switch (random.nextInt(12)) {
            case 0 -> Instant.MIN;
            case 1 -> Instant.MAX;
            case 2 -> Instant.EPOCH;
            default -> Instant.ofEpochSecond(1_700_000_000L + random.nextInt(3), nanos());
        };
    }

    private int nanos() {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> random.nextInt(1_000) * 1_000_000;
            case 2 -> random.nextInt(1_000_000) * 1_000;
            default -> random.nextInt(1_000_000_000);
        };
    }

    private Resources resources() {
        Map<String, Amount> amounts = new TreeMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            amounts.put("type" + random.nextInt(5), new Amount(number() & Long.MAX_VALUE));
        }
        return Resources.of(amounts);
    }
}
