package dev.sluice.core.share;

/** What a share policy reports of its last cycle: of one child, or of the parent as a whole. */
public sealed interface ShareFigures permits LoadClassShare, LoadWorkers, UsageFigures {}
