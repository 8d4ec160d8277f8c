/**
 * Shows people what servers answer: {@link dev.sluice.cli.answer.QueueTables}, {@link dev.sluice.cli.answer.ApplicationTables},
 * {@link dev.sluice.cli.answer.TaskTable}, {@link dev.sluice.cli.answer.NodeTable}, {@link dev.sluice.cli.answer.EventLines}, and
 * {@link dev.sluice.cli.answer.TopScreen} all of it at a glance; {@link dev.sluice.cli.answer.AnswerText} writes answers for programs.
 */
package dev.sluice.cli.answer;
