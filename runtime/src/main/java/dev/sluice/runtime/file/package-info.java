/**
 * Files and folders that belong to one user: {@link dev.sluice.runtime.file.PrivateFiles} creates them without access
 * for others; {@link dev.sluice.runtime.file.FolderRemover} removes folders, whatever tasks have left in them.
 * {@link dev.sluice.runtime.file.UserFolders} are those of several users.
 */
package dev.sluice.runtime.file;
