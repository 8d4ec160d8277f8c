package dev.sluice.server.routes;

import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.engine.ConfigurationValidator;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.runtime.host.IncrementalQuery;
import dev.sluice.runtime.host.TransactionContext;
import java.util.List;
import java.util.Optional;

/**
 * Checks whether a configuration can be applied; answers the refusal, or empty. Checks that need no state run in the
 * constructor.
 */
final class ConfigurationQuery implements IncrementalQuery<Optional<Refusal>> {

    private final ConfigurationValidator check;

    ConfigurationQuery(List<PartitionConfiguration> partitions) {
        this.check = new ConfigurationValidator(partitions);
    }

    @Override
    public boolean step(TransactionContext context, StepBudget budget) {
        return check.step(context.state(), budget);
    }

    @Override
    public Optional<Refusal> answer() {
        return Optional.ofNullable(check.refusal());
    }
}
