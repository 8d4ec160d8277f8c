package dev.sluice.server.metrics;

import dev.sluice.runtime.host.MetricRegistry;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The metrics of a provider of nodes; Micrometer's Prometheus registry adds units and suffixes to names again. */
final class ProviderMetrics implements MetricRegistry {

    private final MeterRegistry registry;

    ProviderMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public Runnable counter(String name, String help, String... labels) {
        Counter counter = Counter.builder(without("_total", name))
                .description(help)
                .tags(labels)
                .register(registry);
        return counter::increment;
    }

    @Override
    public void gauge(String name, String help, Supplier<Number> value, String... labels) {
        Gauge.builder(name, value)
                .description(help)
                .tags(labels)
                .strongReference(true)
                .register(registry);
    }

    @Override
    public Consumer<Duration> histogram(String name, String help, List<Duration> buckets, String... labels) {
        Timer timer = Timer.builder(without("_seconds", name))
                .description(help)
                .tags(labels)
                .serviceLevelObjectives(buckets.toArray(Duration[]::new))
                .register(registry);
        return timer::record;
    }

    private static String without(String suffix, String name) {
        if (!name.endsWith(suffix)) {
            throw new IllegalArgumentException("the name of a metric must end with " + suffix + ": " + name);
        }
        return name.substring(0, name.length() - suffix.length());
    }
}
