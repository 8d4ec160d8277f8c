/** Pods of a Kubernetes cluster as tasks; begin with {@link dev.sluice.kubernetes.cluster}. */
module dev.sluice.kubernetes {
    requires static org.jspecify;
    requires transitive dev.sluice.config;
    requires transitive dev.sluice.core;
    requires transitive dev.sluice.runtime;
    requires com.fasterxml.jackson.databind;
    requires kubernetes.client;
    requires kubernetes.client.api;
    requires kubernetes.model.common;
    requires kubernetes.model.core;
    requires kubernetes.model.scheduling;
    requires kubernetes.model.storageclass;
    requires org.slf4j;

    exports dev.sluice.kubernetes.cluster to
            dev.sluice.cli;
    exports dev.sluice.kubernetes.creation to
            dev.sluice.cli;
    exports dev.sluice.kubernetes.lease to
            dev.sluice.cli;
    exports dev.sluice.kubernetes.volumes to
            dev.sluice.cli;

    opens dev.sluice.kubernetes.translation to
            com.fasterxml.jackson.databind;
}
