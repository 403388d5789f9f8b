import { answer } from '../../answer/answer.js';
import { defineRoute } from '../../route.js';
import { messageResponse } from '../../schemas/message.js';
import { shareQuery } from '../../schemas/share.js';

/** DELETE /shares: takes access back. */
export const deleteShare = defineRoute({
  method: 'DELETE',
  path: '/shares',
  auth: 'session',
  summary: 'End a share',
  query: shareQuery,
  responses: {
    200: { description: 'Ended; streams that are open end within 5 s', schema: messageResponse },
    404: { description: 'You have given no such share' },
  },
  handle: async ({ query: { share_id: shareId }, call }, { jobs }) => {
    await jobs.deleteShare({ shareId }, call);
    return answer({ message: 'Share ended' });
  },
});
