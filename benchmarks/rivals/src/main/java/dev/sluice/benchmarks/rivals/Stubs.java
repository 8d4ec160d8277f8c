package dev.sluice.benchmarks.rivals;

import java.lang.reflect.Proxy;
import java.util.Map;

/** Stand-ins for what the scheduler of YARN asks about applications, which the resource manager has and a scheduler has not. */
final class Stubs {

    private Stubs() {}

    /**
     * One that answers as told.
     *
     * @param answers by the name of the method; what is not told is answered by null, and must not be a number
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
