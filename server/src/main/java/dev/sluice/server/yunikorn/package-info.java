/**
 * The REST reads of Apache YuniKorn, in its field names and units, so that its web interface, dashboards and scripts
 * also work with this server. {@link dev.sluice.server.yunikorn.YuniKornViews} converts the scheduler's state to the
 * records of this package.
 */
@NullMarked
package dev.sluice.server.yunikorn;

import org.jspecify.annotations.NullMarked;
