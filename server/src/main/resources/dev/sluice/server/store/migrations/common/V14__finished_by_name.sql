-- Finished applications with a name are found without reading all others.
CREATE INDEX finished_by_name ON finished_applications (partition_name, name, sequence);
