package dev.sluice.server.route;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a record component of the API that may be omitted, and is null then. All other components are required. Request
 * validation and the OpenAPI description read this annotation at run time, so it must be a class of the server: an
 * annotation class that is missing from the class path is ignored silently. Static analysis treats it as nullable.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
public @interface OptionalField {}
