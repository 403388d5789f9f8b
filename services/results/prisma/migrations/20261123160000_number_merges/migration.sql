-- A job that is extended is merged again: what a slow worker makes of an earlier merge must not replace its results. 0: not known,
-- like of results that the release before stores; they are replaced by any, and replace any.
ALTER TABLE "final_results" ADD COLUMN "merge_number" INTEGER NOT NULL DEFAULT 0;
