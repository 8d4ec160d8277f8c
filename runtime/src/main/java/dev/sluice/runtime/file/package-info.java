/** Files and folders that belong to one user: {@link dev.sluice.runtime.file.PrivateFiles} creates them without access for others. */
package dev.sluice.runtime.file;
