/** What goes in and out over REST, as records: their names and types are the interface, their descriptions its documentation. */
package dev.sluice.server.api;
