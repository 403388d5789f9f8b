-- Release 0.2.0 writes contents and needs none of the tables before them; no copy of 0.1.0, which the triggers served, is left.
-- Final results that were stored as texts (results, pages, page_blocks) stay as long as their jobs are kept.

DROP TRIGGER "jobs_keep_in_step" ON "jobs";
DROP TRIGGER "task_outputs_drop_replaced_pages" ON "task_outputs";
DROP TRIGGER "task_outputs_keep_in_step" ON "task_outputs";
DROP TRIGGER "results_replace_final" ON "results";
DROP TRIGGER "a_note_log_writer" ON "task_logs";
DROP TRIGGER "b_keep_logs_in_step" ON "task_logs";
DROP TRIGGER "task_logs_mirror_attempts" ON "task_logs";
DROP TRIGGER "log_chunks_keep_in_step" ON "log_chunks";
DROP FUNCTION "keep_inputs_in_step"(), "mirror_input"(jobs), "convert_input"(TEXT), "keep_outputs_in_step"(),
    "drop_replaced_pages"(), "mirror_output"(task_outputs), "convert_output"(BIGINT), "replace_final_results"(),
    "note_log_writer"(), "keep_logs_in_step"(), "mirror_attempts"(), "keep_chunks_in_step"(),
    "part_of_content"(BYTEA, BIGINT, BIGINT, BIGINT);
DROP TABLE "input_blocks", "input_documents", "task_page_blocks", "task_pages", "log_attempts";
