package dev.sluice.runtime.executor;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.application.ApplicationRef;
import dev.sluice.core.application.RunRef;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The contract test detects executors that break a guarantee. */
final class BrokenExecutorsTest {

    /** Passes every call on; subclasses break one. */
    private static class Forwarding implements Executor {
        private final Executor inner;

        Forwarding(Executor inner) {
            this.inner = inner;
        }

        @Override
        public void recover(Collection<RunStart> allocated, Collection<ApplicationRef> active) {
            inner.recover(allocated, active);
        }

        @Override
        public void start(RunStart start) {
            inner.start(start);
        }

        @Override
        public void stop(RunRef run) {
            inner.stop(run);
        }

        @Override
        public void suspend(RunRef run) {
            inner.suspend(run);
        }

        @Override
        public void resume(RunRef run) {
            inner.resume(run);
        }

        @Override
        public boolean signal(RunRef run, TaskSignal signal) {
            return inner.signal(run, signal);
        }

        @Override
        public void forget(RunRef run) {
            inner.forget(run);
        }

        @Override
        public void forget(ApplicationRef application) {
            inner.forget(application);
        }

        @Override
        public int unfinishedCount() {
            return inner.unfinishedCount();
        }

        @Override
        public boolean stopAll() {
            return inner.stopAll();
        }

        @Override
        public void close() {
            inner.close();
        }
    }

    private static void breaks(
            UnaryOperator<Executor> executor,
            UnaryOperator<ExecutorListener> reports,
            Consumer<ExecutorContract> test) {
        VirtualExecutorContractTest contract = new VirtualExecutorContractTest();
        contract.breakWith(executor, reports);
        assertThatThrownBy(() -> test.accept(contract)).isInstanceOf(AssertionError.class);
    }

    private static void breaks(UnaryOperator<Executor> executor, Consumer<ExecutorContract> test) {
        breaks(executor, UnaryOperator.identity(), test);
    }

    private static UnaryOperator<ExecutorListener> onEnd(BiFunction<ExecutorListener, RunRef, Integer> times) {
        return listener -> new ExecutorListener() {
            @Override
            public void started(RunRef run) {
                listener.started(run);
            }

            @Override
            public void ended(RunRef run, RunExit exit) {
                for (int i = times.apply(listener, run); i > 0; i--) {
                    listener.ended(run, exit);
                }
            }

            @Override
            public void lost(RunRef run, String reason) {
                for (int i = times.apply(listener, run); i > 0; i--) {
                    listener.lost(run, reason);
                }
            }

            @Override
            public void notStarted(RunRef run, String reason) {
                listener.notStarted(run, reason);
            }
        };
    }

    @Test
    void executor_startingTwice_isDetected() {
        breaks(
                inner -> new Forwarding(inner) {
                    @Override
                    public void start(RunStart start) {
                        inner.forget(start.run());
                        inner.start(start);
                    }
                },
                ExecutorContract::run_startedTwice_isRefused);
    }

    @Test
    void executor_startingAgainInRecovery_isDetected() {
        UnaryOperator<Executor> broken = inner -> new Forwarding(inner) {
            @Override
            public void recover(Collection<RunStart> allocated, Collection<ApplicationRef> active) {
                inner.recover(List.of(), active);
                allocated.forEach(inner::start);
            }
        };
        breaks(broken, ExecutorContract::run_aliveAtRepeatedRestarts_isExecutedAndReportedOnce);
        breaks(broken, ExecutorContract::run_neverBegun_isLostAfterRestart);
    }

    @Test
    void executor_reportingTwice_isDetected() {
        UnaryOperator<ExecutorListener> twice = onEnd((listener, run) -> 2);
        breaks(UnaryOperator.identity(), twice, ExecutorContract::run_ending_isReportedStartedThenEnded);
        breaks(UnaryOperator.identity(), twice, ExecutorContract::stop_ofAliveRun_endsItOnce);
        breaks(
                UnaryOperator.identity(),
                twice,
                ExecutorContract::manyRuns_stoppedAndForgottenAtRandom_haveOneFinalReport);
    }

    @Test
    void executor_withoutReportAfterRestart_isDetected() {
        UnaryOperator<Executor> broken = inner -> new Forwarding(inner) {
            @Override
            public void recover(Collection<RunStart> allocated, Collection<ApplicationRef> active) {
                inner.recover(List.of(), active);
            }
        };
        breaks(broken, ExecutorContract::run_neverBegun_isLostAfterRestart);
        breaks(broken, ExecutorContract::finalReport_notDurable_isRepeatedAfterRestart);
        breaks(broken, ExecutorContract::run_aliveAtRestart_isFollowedOrLost);
    }

    @Test
    void executor_startingStoppedRun_isDetected() {
        breaks(
                inner -> new Forwarding(inner) {
                    private final List<RunRef> started = new ArrayList<>();

                    @Override
                    public void start(RunStart start) {
                        started.add(start.run());
                        inner.start(start);
                    }

                    @Override
                    public void stop(RunRef run) {
                        if (started.contains(run)) {
                            inner.stop(run);
                        }
                    }
                },
                ExecutorContract::stop_beforeStart_preventsIt);
    }

    @Test
    void executor_keepingForgottenRun_isDetected() {
        UnaryOperator<Executor> broken = inner -> new Forwarding(inner) {
            @Override
            public void forget(RunRef run) {
                // Leaves it alive.
            }
        };
        breaks(broken, ExecutorContract::run_forgottenWhileAlive_isStoppedWithoutReport);
        breaks(broken, ExecutorContract::nextRun_ofTask_startsAfterEndOfForgottenRun);
    }

    @Test
    void executor_notSuspending_isDetected() {
        UnaryOperator<Executor> broken = inner -> new Forwarding(inner) {
            @Override
            public void suspend(RunRef run) {
                // Lets it continue.
            }
        };
        breaks(broken, ExecutorContract::suspend_ofAliveRun_haltsItUntilResumed);
        breaks(broken, ExecutorContract::suspend_whileRunStarts_haltsItUntilResumed);
        breaks(broken, ExecutorContract::suspend_ofNextRun_haltsItAfterEndOfForgottenRun);
    }

    @Test
    void executor_notResuming_isDetected() {
        breaks(
                inner -> new Forwarding(inner) {
                    @Override
                    public void resume(RunRef run) {
                        // Leaves it halted.
                    }
                },
                ExecutorContract::suspend_ofAliveRun_haltsItUntilResumed);
    }

    @Test
    void executor_notStoppingSuspendedRun_isDetected() {
        UnaryOperator<Executor> broken = inner -> new Forwarding(inner) {
            private final List<RunRef> suspended = new ArrayList<>();

            @Override
            public void suspend(RunRef run) {
                suspended.add(run);
                inner.suspend(run);
            }

            @Override
            public void stop(RunRef run) {
                if (!suspended.contains(run)) {
                    inner.stop(run);
                }
            }

            @Override
            public void forget(RunRef run) {
                if (!suspended.contains(run)) {
                    inner.forget(run);
                }
            }
        };
        breaks(broken, ExecutorContract::suspendedRun_stopped_ends);
        breaks(broken, ExecutorContract::suspendedRun_forgotten_isStopped);
    }

    @Test
    void executor_notSignalling_isDetected() {
        breaks(
                inner -> new Forwarding(inner) {
                    @Override
                    public boolean signal(RunRef run, TaskSignal signal) {
                        return inner.unfinishedCount() > 0;
                    }
                },
                ExecutorContract::signal_toRunningRunOnly_isSent);
    }

    @Test
    void executor_leavingRunsAliveAfterStopAll_isDetected() {
        breaks(
                inner -> new Forwarding(inner) {
                    @Override
                    public boolean stopAll() {
                        return true;
                    }
                },
                ExecutorContract::stopAll_withAliveRuns_endsAndLosesThem);
    }
}
