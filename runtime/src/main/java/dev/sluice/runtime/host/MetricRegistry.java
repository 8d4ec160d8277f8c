package dev.sluice.runtime.host;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Where parts of a server register what they measure. Names are those of Prometheus, with the unit, and labels are
 * given as names and values in turn. What is registered again is the same metric.
 */
public interface MetricRegistry {

    /** Discards all values. */
    MetricRegistry DISCARDING = new MetricRegistry() {
        @Override
        public Runnable counter(String name, String help, String... labels) {
            return () -> {};
        }

        @Override
        public void gauge(String name, String help, Supplier<Number> value, String... labels) {}

        @Override
        public Consumer<Duration> histogram(String name, String help, List<Duration> buckets, String... labels) {
            return duration -> {};
        }
    };

    /**
     * Registers a counter.
     *
     * @param name the name, which ends with {@code _total}
     * @return adds 1 to it
     */
    Runnable counter(String name, String help, String... labels);

    /**
     * Registers a gauge.
     *
     * @param value returns its value whenever metrics are read
     */
    void gauge(String name, String help, Supplier<Number> value, String... labels);

    /**
     * Registers a histogram of durations.
     *
     * @param name the name, which ends with {@code _seconds}
     * @param buckets the upper bounds
     * @return records a value
     */
    Consumer<Duration> histogram(String name, String help, List<Duration> buckets, String... labels);
}
