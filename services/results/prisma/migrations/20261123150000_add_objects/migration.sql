-- Blobs whose bytes lie in an object store instead of in blocks. A group of objects is noted before the first of them is
-- written; the blob that names it is committed after the last.
CREATE TABLE "object_groups" (
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "object_groups_pkey" PRIMARY KEY ("name")
);
CREATE TABLE "blob_objects" (
    "blob_id" BIGINT NOT NULL,
    "start_byte" BIGINT NOT NULL,
    "size_bytes" INTEGER NOT NULL,

    CONSTRAINT "blob_objects_pkey" PRIMARY KEY ("blob_id","start_byte"),
    CONSTRAINT "blob_objects_blob_id_fkey" FOREIGN KEY ("blob_id") REFERENCES "blobs"("blob_id") ON DELETE CASCADE ON UPDATE NO ACTION
);
ALTER TABLE "blobs" ADD COLUMN "object_group" TEXT;
