package dev.sluice.kubernetes.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.kubernetes.request.ApiRequests;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Candidates with clocks of their own, and a lease of 15 s of which a leader uses 10 s. */
final class LeaseCandidateTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final FakeLeases leases = new FakeLeases();
    private long nanos = Long.MAX_VALUE - 1_000_000_000; // nanoTime may overflow
    private final LeaseCandidate first = candidate("first", 15, Duration.ZERO);
    private final LeaseCandidate second = candidate("second", 15, Duration.ZERO);

    private LeaseCandidate candidate(String identity, int seconds, Duration skew) {
        return new LeaseCandidate(
                leases,
                new LeaseSettings("sluice", Duration.ofSeconds(seconds), identity, null),
                () -> nanos,
                InstantSource.fixed(NOW.plus(skew)));
    }

    private void pass(double seconds) {
        nanos += (long) (seconds * 1e9);
    }

    @Test
    void lease_missing_isCreated() throws IOException {
        assertThat(first.isLeader()).isFalse();
        assertThat(first.attempt()).isTrue();
        assertThat(first.isLeader()).isTrue();
        assertThat(leases.present().object().toString())
                .isEqualTo("{\"metadata\":{\"name\":\"sluice\",\"resourceVersion\":\"1\"},\"spec\":{"
                        + "\"acquireTime\":\"2026-01-01T00:00:00.000000Z\",\"leaseTransitions\":0,"
                        + "\"holderIdentity\":\"first\",\"leaseDurationSeconds\":15,"
                        + "\"renewTime\":\"2026-01-01T00:00:00.000000Z\"}}");
    }

    @Test
    void lease_createdByTwo_hasOneHolder() throws IOException {
        leases.beforeWrite = () -> assertThat(second.attempt()).isTrue();
        assertThat(first.attempt()).isFalse();
        assertThat(first.attempt()).isFalse();
        assertThat(first.holder()).isEqualTo("second");
    }

    @Test
    void leader_renewing_remainsLeader() throws IOException {
        assertThat(first.attempt()).isTrue();
        for (int i = 0; i < 20; i++) {
            pass(5);
            assertThat(second.attempt()).isFalse();
            assertThat(first.attempt()).isTrue();
            assertThat(first.isLeader()).isTrue();
        }
        assertThat(leases.present().transitions()).isZero();
    }

    @Test
    void leader_notRenewing_endsBeforeAnotherBegins() throws IOException {
        first.attempt();
        pass(1);
        assertThat(second.attempt()).isFalse();
        pass(8.9);
        assertThat(first.isLeader()).isTrue();
        pass(0.1);
        assertThat(first.isLeader()).as("two thirds of the duration").isFalse();
        pass(5.9);
        assertThat(second.attempt()).as("15 s after it has seen the lease").isFalse();
        pass(0.1);
        assertThat(second.attempt()).isTrue();
        assertThat(leases.present().transitions()).isOne();
    }

    @Test
    void leader_stoppedAndContinued_writesNothing() throws IOException {
        first.attempt();
        assertThat(second.attempt()).isFalse();
        pass(60);
        assertThat(second.attempt()).isTrue();
        String before = leases.present().object().toString();
        assertThat(first.isLeader()).isFalse();
        assertThat(first.attempt()).isFalse();
        pass(600);
        assertThat(first.isLeader()).isFalse();
        first.release();
        assertThat(leases.present().object()).hasToString(before);
    }

    @Test
    void renewal_overtaken_isNone() throws IOException {
        first.attempt();
        second.attempt();
        pass(60);
        leases.beforeWrite = () -> assertThat(second.attempt()).isTrue();
        assertThat(first.attempt()).as("it does not know yet").isTrue();
        assertThat(first.isLeader()).isFalse();
        assertThat(first.attempt()).isFalse();
    }

    @Test
    void renewal_answeredLate_countsFromItsRequest() throws IOException {
        leases.beforeWrite = () -> pass(9);
        first.attempt();
        assertThat(first.isLeader()).isTrue();
        pass(1);
        assertThat(first.isLeader()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {-86_400, -10, 10, 86_400})
    void clocks_different_changeNothing(long skew) throws IOException {
        LeaseCandidate other = candidate("other", 15, Duration.ofSeconds(skew));
        first.attempt();
        assertThat(other.attempt()).isFalse();
        pass(14.9);
        assertThat(other.attempt()).isFalse();
        pass(0.1);
        assertThat(other.attempt()).isTrue();
        assertThat(first.attempt()).isFalse();
    }

    @Test
    void duration_isThatOfTheHolder() throws IOException {
        LeaseCandidate impatient = candidate("impatient", 3, Duration.ZERO);
        first.attempt();
        assertThat(impatient.attempt()).isFalse();
        pass(14);
        assertThat(impatient.attempt()).isFalse();
        pass(1);
        assertThat(impatient.attempt()).isTrue();
    }

    @Test
    void lease_released_isTakenAtOnce() throws IOException {
        first.attempt();
        second.attempt();
        first.release();
        assertThat(first.isLeader()).isFalse();
        assertThat(second.attempt()).isTrue();
    }

    @Test
    void lease_deleted_isCreatedAgainByItsHolder() throws IOException {
        first.attempt();
        leases.lease = null;
        assertThat(first.attempt()).isTrue();
        assertThat(second.attempt()).isFalse();
    }

    @Test
    void apiServer_away_endsLeadership() throws IOException {
        first.attempt();
        leases.failure = "no answer";
        pass(5);
        assertThatThrownBy(first::attempt).hasMessage("no answer");
        assertThat(first.isLeader()).isTrue();
        pass(5);
        assertThat(first.isLeader()).isFalse();
    }

    @FunctionalInterface
    private interface Action {
        void run() throws IOException;
    }

    /** A lease with versions, as preconditions of writes. */
    private static final class FakeLeases implements Leases {

        private @Nullable Lease lease;
        private int version;
        private @Nullable Action beforeWrite;
        private @Nullable String failure;

        Lease present() {
            assertThat(lease).isNotNull();
            return lease;
        }

        @Override
        public @Nullable Lease read() throws IOException {
            if (failure != null) {
                throw new IOException(failure);
            }
            return lease;
        }

        @Override
        public Lease blank() {
            Lease blank = new Lease(ApiRequests.object());
            blank.object().putObject("metadata").put("name", "sluice");
            return blank;
        }

        @Override
        public @Nullable Lease create(Lease created) throws IOException {
            interfere();
            return lease == null ? write(created) : null;
        }

        @Override
        public @Nullable Lease replace(Lease replaced) throws IOException {
            interfere();
            return lease != null && lease.version().equals(replaced.version()) ? write(replaced) : null;
        }

        private void interfere() throws IOException {
            Action action = beforeWrite;
            beforeWrite = null;
            if (action != null) {
                action.run();
            }
        }

        private Lease write(Lease written) {
            Lease next = new Lease(written.object().deepCopy());
            next.object().withObject("/metadata").put("resourceVersion", String.valueOf(++version));
            lease = next;
            return next;
        }
    }
}
