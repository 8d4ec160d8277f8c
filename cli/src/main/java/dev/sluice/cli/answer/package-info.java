/**
 * Prints server responses: {@link dev.sluice.cli.answer.QueueTables}, {@link dev.sluice.cli.answer.ApplicationTables},
 * {@link dev.sluice.cli.answer.TaskTable}, {@link dev.sluice.cli.answer.NodeTable} and
 * {@link dev.sluice.cli.answer.EventLines}; {@link dev.sluice.cli.answer.TopScreen} combines them, and
 * {@link dev.sluice.cli.answer.AnswerText} prints JSON and YAML.
 */
package dev.sluice.cli.answer;
