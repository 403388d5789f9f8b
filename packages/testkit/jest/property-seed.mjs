// Properties are tried with the same random values in every run, so that a red run is the fault of a change. Others are
// tried with TALLY_RANDOM_SEED=<number>, or, a new seed for each property, TALLY_RANDOM_SEED=new.
import process from 'node:process';
import fc from 'fast-check';

const { TALLY_RANDOM_SEED = '20261121' } = process.env;
if (TALLY_RANDOM_SEED !== 'new') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(TALLY_RANDOM_SEED) });
