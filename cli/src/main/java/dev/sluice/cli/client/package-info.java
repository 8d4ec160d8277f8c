/**
 * Talking to a server that runs. {@link dev.sluice.cli.client.ServerOptions} are what the command line says about it,
 * {@link dev.sluice.cli.client.Target} is which server that comes to, with the {@link dev.sluice.cli.client.Contexts} that people keep
 * in a file. {@link dev.sluice.cli.client.ServerClient} sends a {@link dev.sluice.cli.client.ServerRequest} to an
 * {@link dev.sluice.cli.client.ApiPath}, again if need be and as long as {@link dev.sluice.cli.client.RetryPolicy} lasts, and gives a
 * {@link dev.sluice.cli.client.ServerAnswer}, or a {@link dev.sluice.cli.client.ClientException} that says what is wrong.
 * {@link dev.sluice.cli.client.Pages} puts the parts of a list together, {@link dev.sluice.cli.client.EventReader} reads what happens
 * as it happens.
 */
package dev.sluice.cli.client;
