-- What float64 leaves of the numbers of an output lies behind them in its content (ADR 13).
ALTER TABLE "task_outputs" ADD COLUMN "has_remainders" BOOLEAN NOT NULL DEFAULT false;
