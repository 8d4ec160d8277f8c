/** Writing JSON as it is worked out: {@link dev.sluice.cli.json.JsonOutput}. */
package dev.sluice.cli.json;
