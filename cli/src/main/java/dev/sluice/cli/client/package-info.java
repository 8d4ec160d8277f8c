/**
 * Client of the REST API. {@link dev.sluice.cli.client.ServerOptions} and {@link dev.sluice.cli.client.Contexts} select
 * a {@link dev.sluice.cli.client.Target}. {@link dev.sluice.cli.client.ServerClient} sends a
 * {@link dev.sluice.cli.client.ServerRequest} to an {@link dev.sluice.cli.client.ApiPath}, with retries by
 * {@link dev.sluice.cli.client.RetryPolicy}, and returns a {@link dev.sluice.cli.client.ServerAnswer} or throws a
 * {@link dev.sluice.cli.client.ClientException}. {@link dev.sluice.cli.client.Pages} reads paginated lists,
 * {@link dev.sluice.cli.client.EventReader} follows events.
 */
package dev.sluice.cli.client;
