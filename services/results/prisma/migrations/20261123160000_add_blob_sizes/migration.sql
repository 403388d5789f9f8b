-- So that what is stored of a user is added up without reading blocks. Null: of a release before; the blocks tell.
ALTER TABLE "blobs" ADD COLUMN "size_bytes" BIGINT;
