package dev.sluice.server.metrics;

import dev.sluice.server.access.RateLimitedAuthenticator;
import io.micrometer.core.instrument.Counter;

/** Counts requests refused because their caller sends too many. */
public final class LimitedRequests implements RateLimitedAuthenticator.Refusals {

    private static final String NAME = "sluice.requests.limited";
    private static final String HELP = "Requests refused because a caller sent too many, or too many invalid tokens.";
    private static final String REASON = "reason";

    private final Counter requests;
    private final Counter failures;

    /** Registers the counters. */
    public LimitedRequests(ServerMetrics metrics) {
        requests = metrics.counter(NAME, HELP, REASON, "rate");
        failures = metrics.counter(NAME, HELP, REASON, "credentials");
    }

    @Override
    public void tooManyRequests() {
        requests.increment();
    }

    @Override
    public void tooManyFailures() {
        failures.increment();
    }
}
