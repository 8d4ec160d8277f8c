package dev.sluice.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.EncoderBase;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.status.NopStatusListener;
import java.io.OutputStream;
import java.util.Map;

/**
 * Configures the log on standard error: text lines, or one JSON object per line with {@code SLUICE_LOG=json}. Logback
 * finds this class itself. Configuration by code, not XML, because parsing XML takes an eighth of the server's start
 * time.
 */
public final class ServerLog extends ContextAwareBase implements Configurator {

    private static final String PATTERN = "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %msg%n%ex{8}";

    private final Map<String, String> environment;
    private final OutputStream out;

    public ServerLog() {
        this(System.getenv(), System.err);
    }

    ServerLog(Map<String, String> environment, OutputStream out) {
        this.environment = environment;
        this.out = out;
    }

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        context.getStatusManager().add(new NopStatusListener());
        OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
        appender.setContext(context);
        EncoderBase<ILoggingEvent> encoder = "json".equals(environment.get("SLUICE_LOG")) ? forPrograms() : forPeople();
        encoder.setContext(context);
        encoder.start();
        appender.setEncoder(encoder);
        appender.setOutputStream(out);
        appender.start();
        context.getLogger("ROOT").setLevel(Level.WARN);
        // they warn about each malformed request, so that clients could fill the disk
        context.getLogger("org.eclipse.jetty.http").setLevel(Level.ERROR);
        context.getLogger("org.eclipse.jetty.util.HostPort").setLevel(Level.ERROR);
        context.getLogger("ROOT").addAppender(appender);
        context.getLogger("dev.sluice")
                .setLevel(Level.toLevel(environment.getOrDefault("SLUICE_LOG_LEVEL", "INFO"), Level.INFO));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    private static PatternLayoutEncoder forPeople() {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setPattern(PATTERN);
        return encoder;
    }

    private static JsonEncoder forPrograms() {
        JsonEncoder encoder = new JsonEncoder();
        encoder.setWithFormattedMessage(true);
        encoder.setWithMessage(false);
        encoder.setWithArguments(false);
        encoder.setWithContext(false);
        encoder.setWithSequenceNumber(false);
        return encoder;
    }
}
