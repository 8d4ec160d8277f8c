/**
 * What goes over the wire: one record per document that is sent and per view that is answered. A component that may be left out is
 * an {@link dev.sluice.server.route.OptionalField}; every other one is required. The schemas of the description and the check of what is sent are made from that.
 */
package dev.sluice.server.api;
