/** Pods of a Kubernetes cluster as tasks; begin with {@link dev.sluice.kubernetes.translation}. */
module dev.sluice.kubernetes {
    requires static org.jspecify;
    requires transitive dev.sluice.core;
    requires com.fasterxml.jackson.databind;
    requires kubernetes.client.api;
    requires kubernetes.model.common;
    requires kubernetes.model.core;

    exports dev.sluice.kubernetes.binding to
            dev.sluice.cli;
    exports dev.sluice.kubernetes.eviction to
            dev.sluice.cli;
    exports dev.sluice.kubernetes.metrics to
            dev.sluice.cli;
    exports dev.sluice.kubernetes.reconciliation to
            dev.sluice.cli;
    exports dev.sluice.kubernetes.reporting to
            dev.sluice.cli;
    exports dev.sluice.kubernetes.request to
            dev.sluice.cli;
    exports dev.sluice.kubernetes.translation to
            dev.sluice.cli;

    opens dev.sluice.kubernetes.translation to
            com.fasterxml.jackson.databind;
}
