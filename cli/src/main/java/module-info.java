import ch.qos.logback.classic.spi.Configurator;
import dev.sluice.cli.ServerLog;

/** The program {@code sluice}, one class per command; begin with {@link dev.sluice.cli.Sluice}. */
module dev.sluice.cli {
    requires static org.jspecify;
    requires ch.qos.logback.classic;
    requires ch.qos.logback.core;
    requires dev.sluice.config;
    requires dev.sluice.core;
    requires dev.sluice.kubernetes;
    requires dev.sluice.runtime;
    requires dev.sluice.server;
    requires dev.sluice.simulator;
    requires info.picocli;
    requires org.jline.terminal;
    requires org.slf4j;
    requires tools.jackson.core;
    requires tools.jackson.databind;

    opens dev.sluice.cli to
            info.picocli,
            tools.jackson.databind;
    opens dev.sluice.cli.client to
            info.picocli;
    opens dev.sluice.cli.manual to
            info.picocli;
    opens dev.sluice.cli.run to
            info.picocli;
    opens dev.sluice.cli.terminal to
            info.picocli;

    provides Configurator with
            ServerLog;
}
