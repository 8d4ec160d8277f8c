/**
 * The page: the cluster as people see it in a browser, at {@code /ui}. {@link dev.sluice.server.page.Page} lists its
 * routes. A page is made of what routes of the API answer to the same caller ({@code ApiCalls}), so it shows and permits
 * exactly what they do, and a template in {@code src/main/jte} ({@code Templates}). {@code PageRoutes} gives each route
 * the role and ownership of the API's route behind it, {@code Forms} checks the token of forms, {@code PageProblems}
 * answers problems. Pages reload what they show when the stream of {@code LiveRoutes} says that something has changed.
 */
package dev.sluice.server.page;
