/**
 * Who a caller is: {@link dev.sluice.server.access.AccessTokens} and tokens of an OpenID Connect issuer. Decision record
 * 0058 explains the design.
 */
package dev.sluice.server.access;
