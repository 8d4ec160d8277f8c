/** The daemon: REST, live events, metrics, and the journal in SQL. */
package dev.sluice.server;
