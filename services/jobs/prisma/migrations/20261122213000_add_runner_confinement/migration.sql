-- What confines the simulators of a runner, and whether it takes users' own files: a runner of the release before says neither.
ALTER TABLE "runners" ADD COLUMN     "confinement" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "is_refusing_files" BOOLEAN NOT NULL DEFAULT false;
