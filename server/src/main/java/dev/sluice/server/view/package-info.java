/**
 * Views of the state for the API: {@link dev.sluice.server.view.Views} of nodes, applications and tasks,
 * {@link dev.sluice.server.view.QueueViews}, {@link dev.sluice.server.view.EventViews}, and
 * {@link dev.sluice.server.view.Reasons} why tasks are waiting. Views are built on the scheduler's thread and do not
 * reference the state.
 */
package dev.sluice.server.view;
