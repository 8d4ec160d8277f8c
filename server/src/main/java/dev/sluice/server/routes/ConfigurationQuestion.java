package dev.sluice.server.routes;

import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.engine.ConfigurationCheck;
import dev.sluice.core.explain.Looks;
import dev.sluice.runtime.loop.Desk;
import dev.sluice.runtime.loop.Question;
import java.util.List;
import java.util.Optional;

/** Why a configuration cannot be applied; empty if it can. What the configuration alone tells is found out when this is made. */
final class ConfigurationQuestion implements Question<Optional<Refusal>> {

    private final ConfigurationCheck check;

    ConfigurationQuestion(List<PartitionConfiguration> partitions) {
        this.check = new ConfigurationCheck(partitions);
    }

    @Override
    public boolean look(Desk desk, Looks looks) {
        return check.look(desk.state(), looks);
    }

    @Override
    public Optional<Refusal> answer() {
        return Optional.ofNullable(check.refusal());
    }
}
