-- Which groups of objects a blob names.
CREATE UNIQUE INDEX CONCURRENTLY "blobs_object_group_key" ON "blobs"("object_group");
