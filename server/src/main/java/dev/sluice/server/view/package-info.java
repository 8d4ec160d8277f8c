/**
 * What people and programs are shown of the state: {@link dev.sluice.server.view.Views} of nodes, applications and tasks,
 * {@link dev.sluice.server.view.QueueViews}, {@link dev.sluice.server.view.EventViews}, and {@link dev.sluice.server.view.Reasons} why
 * something waits. All of it is made on the thread of the scheduler and holds nothing of the state.
 */
package dev.sluice.server.view;
