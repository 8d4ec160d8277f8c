package dev.sluice.server.metrics;

import dev.sluice.runtime.host.HostListener;
import dev.sluice.runtime.host.MetricRegistry;
import dev.sluice.runtime.host.Projection;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.http.HttpServer;
import dev.sluice.server.route.Route;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The Prometheus metrics of a server. Names, units and help texts follow Prometheus' conventions. */
public final class ServerMetrics implements HostListener, HttpServer.RequestListener, AutoCloseable {

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Timer decide = Timer.builder("sluice.batch.decide")
            .description("Time to process one batch of requests and scheduling cycles.")
            .serviceLevelObjectives(buckets())
            .register(registry);
    private final Timer commit = Timer.builder("sluice.journal.commit")
            .description("Time to commit one batch to the journal.")
            .serviceLevelObjectives(buckets())
            .register(registry);
    private final Counter transactions = Counter.builder("sluice.transactions")
            .description("Requests and reports processed.")
            .register(registry);
    private final Counter events = Counter.builder("sluice.events")
            .description("Events written to the journal.")
            .register(registry);
    private final Counter stalls = Counter.builder("sluice.journal.stalls")
            .description("Times the journal became unwritable.")
            .register(registry);
    private final DistributionSummary batch = DistributionSummary.builder("sluice.batch.size")
            .description("Requests and reports per batch.")
            .baseUnit("requests")
            .register(registry);
    private final Map<String, Timer> requestTimers = new ConcurrentHashMap<>();
    private final Map<ClusterGauges.GaugeFamily, MultiGauge> clusterGauges = new ConcurrentHashMap<>();
    private final List<Projection> eventCounters = List.of(new GangMetrics(registry), new ReservationMetrics(registry));
    private final JvmGcMetrics collections = new JvmGcMetrics();

    public ServerMetrics() {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        collections.bindTo(registry);
    }

    private static Duration[] buckets() {
        return new Duration[] {
            Duration.ofNanos(500_000),
            Duration.ofMillis(1),
            Duration.ofMillis(2),
            Duration.ofMillis(5),
            Duration.ofMillis(10),
            Duration.ofMillis(20),
            Duration.ofMillis(50),
            Duration.ofMillis(100),
            Duration.ofMillis(500),
            Duration.ofSeconds(2)
        };
    }

    /** Registers a counter with a label. */
    public Counter counter(String name, String description, String label, String value) {
        return Counter.builder(name).description(description).tag(label, value).register(registry);
    }

    /** Registers a gauge with a label that is evaluated on every scrape. */
    public void gauge(String name, String description, String label, String labelled, Supplier<Number> value) {
        Gauge.builder(name, value)
                .description(description)
                .tag(label, labelled)
                .strongReference(true)
                .register(registry);
    }

    /** Registers a gauge that is evaluated on every scrape. */
    public void gauge(String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value)
                .description(description)
                .strongReference(true)
                .register(registry);
    }

    /** Replaces all values of the cluster gauges. */
    void gaugeValues(List<ClusterGauges.GaugeValue> gaugeValues) {
        Map<ClusterGauges.GaugeFamily, List<MultiGauge.Row<?>>> rows = new EnumMap<>(ClusterGauges.GaugeFamily.class);
        for (ClusterGauges.GaugeValue figure : gaugeValues) {
            Tags tags = Tags.of("partition", figure.partition(), figure.family().label(), figure.of());
            rows.computeIfAbsent(figure.family(), family -> new ArrayList<>())
                    .add(MultiGauge.Row.of(tags, figure.value()));
        }
        for (ClusterGauges.GaugeFamily family : ClusterGauges.GaugeFamily.values()) {
            clusterGauges
                    .computeIfAbsent(
                            family,
                            each -> MultiGauge.builder(each.metric())
                                    .description(each.help())
                                    .register(registry))
                    .register(rows.getOrDefault(family, List.of()), true);
        }
    }

    /** Returns where a provider of nodes registers its metrics. */
    public MetricRegistry ofProvider() {
        return new ProviderMetrics(registry);
    }

    /** Returns the receivers of the events of gangs and reservations. */
    public List<Projection> eventCounters() {
        return eventCounters;
    }

    /** Returns all metrics in the Prometheus text format. */
    public String scrape() {
        return registry.scrape();
    }

    @Override
    public void batchCompleted(int transactionCount, int eventCount, long decideNanos, long commitNanos) {
        if (transactionCount > 0) {
            transactions.increment(transactionCount);
            batch.record(transactionCount);
        }
        decide.record(Duration.ofNanos(decideNanos));
        if (eventCount > 0) {
            events.increment(eventCount);
            commit.record(Duration.ofNanos(commitNanos));
        }
    }

    @Override
    public void answered(Route route, int status, long nanos) {
        requestTimers
                .computeIfAbsent(
                        route.name() + " " + status,
                        key -> Timer.builder("sluice.http.requests")
                                .description("Time to answer HTTP requests.")
                                .tag("route", route.name())
                                .tag("status", Integer.toString(status))
                                .serviceLevelObjectives(buckets())
                                .register(registry))
                .record(Duration.ofNanos(nanos));
    }

    @Override
    public void stalled(StoreException reason) {
        stalls.increment();
    }

    @Override
    public void resumed() {
        // counted in stalled
    }

    @Override
    public void failed(Throwable reason) {
        // the server and its metrics end
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
