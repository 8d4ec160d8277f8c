package dev.sluice.core.application;

/**
 * Identifies an application. Its id may be used again once it has expired.
 *
 * @param partition the name of the partition
 * @param application the id of the application
 */
public record ApplicationRef(String partition, String application) {

    @Override
    public String toString() {
        return partition + "/" + application;
    }
}
