/** The journal: what happened, kept so that the state can be made again. */
package dev.sluice.runtime.journal;
