package dev.sluice.benchmarks.rivals;

import java.lang.reflect.Proxy;
import java.util.Map;

/** Stubs for the application state that YARN's scheduler queries from the resource manager. */
final class Stubs {

    private Stubs() {}

    /**
     * Creates a stub.
     *
     * @param answers return values by method name; other methods return null and must not have a primitive return type
     */
    static <T> T of(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(self);
                    case "equals" -> self == arguments[0];
                    case "toString" -> type.getSimpleName();
                    default -> answers.get(method.getName());
                }));
    }
}
