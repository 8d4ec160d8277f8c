package dev.sluice.core.state;

import dev.sluice.core.resource.Resources;

/**
 * What a reservation keeps on one node.
 *
 * @param node the name of the node
 * @param resources what a single task requests, without its slot; or what the members of a gang take there together,
 *     with their slots
 */
public record ReservedCapacity(String node, Resources resources) {}
