package dev.sluice.core.testing;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Injects a {@link ClusterUnderTest} or {@link CheckedScheduler} into test methods, and checks it after the test.
 *
 * <p>Usage: {@code @ExtendWith(SchedulerExtension.class)} on the class and {@code void
 * subject_condition_outcome(ClusterUnderTest cluster)}.
 */
public final class SchedulerExtension implements ParameterResolver, AfterEachCallback {

    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(SchedulerExtension.class);

    /** The schedulers injected into one test. */
    private record Given(List<CheckedScheduler> schedulers) {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == ClusterUnderTest.class || type == CheckedScheduler.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        CheckedScheduler scheduler = new CheckedScheduler();
        given(context).schedulers().add(scheduler);
        return parameter.getParameter().getType() == CheckedScheduler.class
                ? scheduler
                : new ClusterUnderTest(scheduler);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (context.getExecutionException().isEmpty()) {
            given(context).schedulers().forEach(CheckedScheduler::check);
        }
    }

    private static Given given(ExtensionContext context) {
        return context.getStore(NAMESPACE)
                .computeIfAbsent(context.getUniqueId(), id -> new Given(new ArrayList<>()), Given.class);
    }
}
