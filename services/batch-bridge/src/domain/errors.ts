import { defineReasons } from '@tally/service-kit';

/** Reasons of batch-bridge. */
export const fail = defineReasons('batch-bridge', {
  BATCH_UNIMPLEMENTED: {
    status: 'UNIMPLEMENTED',
    message: 'The batch platform is not available in this version',
    when: 'anything is asked of the batch platform, which this version does not have yet',
  },
});
