/** The daemon: REST, live events, metrics, and the journal in SQL; begin with {@link dev.sluice.server.Daemon}. */
module dev.sluice.server {
    requires static org.jspecify;
    requires transitive dev.sluice.config;
    requires transitive dev.sluice.core;
    requires transitive dev.sluice.runtime;
    requires dev.sluice.simulator;
    requires com.fasterxml.classmate;
    requires com.fasterxml.jackson.annotation;
    requires com.github.victools.jsonschema.generator;
    requires com.nimbusds.jose.jwt;
    requires com.zaxxer.hikari;
    requires flyway.core;
    requires gg.jte.runtime;
    requires io.github.javadiffutils;
    requires java.management;
    requires java.net.http;
    requires java.sql;
    requires jdk.net;
    requires micrometer.core;
    requires micrometer.registry.prometheus;
    requires org.eclipse.jetty.http;
    requires org.eclipse.jetty.io;
    requires org.eclipse.jetty.server;
    requires org.eclipse.jetty.util;
    requires org.postgresql.jdbc;
    requires org.slf4j;
    requires org.xerial.sqlitejdbc;
    requires tools.jackson.core;
    requires tools.jackson.databind;

    exports dev.sluice.server to
            dev.sluice.cli;
    exports dev.sluice.server.access to
            dev.sluice.cli;
    exports dev.sluice.server.api to
            dev.sluice.cli;
    exports dev.sluice.server.backup to
            dev.sluice.cli;
    exports dev.sluice.server.http to
            dev.sluice.cli;
    exports dev.sluice.server.notification to
            dev.sluice.cli;
    exports dev.sluice.server.route to
            dev.sluice.cli;

    opens dev.sluice.server.api to
            com.github.victools.jsonschema.generator,
            tools.jackson.databind;
    opens dev.sluice.server.page.template to
            gg.jte.runtime;
    opens dev.sluice.server.route to
            com.github.victools.jsonschema.generator,
            tools.jackson.databind;
    // Flyway finds these through the class loader; they contain no classes, only SQL.
    opens dev.sluice.server.store.migrations.common;
    opens dev.sluice.server.store.migrations.postgresql;
}
