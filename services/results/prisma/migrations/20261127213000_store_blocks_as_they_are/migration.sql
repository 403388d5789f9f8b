-- Blocks are compressed documents or numbers. PostgreSQL compressed what it could of them: numbered bins at 23 MB/s, which was
-- more than half of the time of an upload of as many values, to save a fifth of a grid that is mostly zeros. Of contents that are
-- stored as they are, a part is also read without the rest. Blocks that are there stay as they are.
ALTER TABLE "blocks" ALTER COLUMN "content" SET STORAGE EXTERNAL;
