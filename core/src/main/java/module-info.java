/**
 * The model and the decision engine of Sluice; begin with {@link dev.sluice.core.engine}.
 *
 * <p>The orders of the scheduling cycle, package {@code schedule}, are internal.
 */
module dev.sluice.core {
    requires static org.jspecify;

    exports dev.sluice.core.application;
    exports dev.sluice.core.command;
    exports dev.sluice.core.configuration;
    exports dev.sluice.core.engine;
    exports dev.sluice.core.explain;
    exports dev.sluice.core.placement;
    exports dev.sluice.core.rank;
    exports dev.sluice.core.resource;
    exports dev.sluice.core.share;
    exports dev.sluice.core.state;
}
