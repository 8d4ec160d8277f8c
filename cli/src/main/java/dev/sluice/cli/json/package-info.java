/** Streaming JSON output: {@link dev.sluice.cli.json.JsonOutput}. */
package dev.sluice.cli.json;
