/** Secrets of tasks: how they are encrypted while they wait, and where the key is. */
package dev.sluice.runtime.secret;
