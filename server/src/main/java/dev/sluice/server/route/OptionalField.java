package dev.sluice.server.route;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A field of a document that may be left out: a component of a record of the interface that is null then. Every other component is required.
 * The check of what is sent and the description of the interface read this annotation when the server runs, so it is a class of the server
 * itself: an annotation of a library is ignored without an error where the library is not shipped. Static analysis treats it as nullable.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
public @interface OptionalField {}
