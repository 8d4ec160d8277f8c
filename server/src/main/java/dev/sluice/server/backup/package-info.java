/**
 * Backup, restore and verification of data folders: {@link dev.sluice.server.backup.Backup} and
 * {@link dev.sluice.server.backup.FolderCheck}. Decision record 0049 explains the design.
 */
package dev.sluice.server.backup;
