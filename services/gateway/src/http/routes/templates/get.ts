import { z } from 'zod';
import { fail } from '../../../errors.js';
import { answer } from '../../answer/answer.js';
import { defineRoute } from '../../route.js';
import { plainText } from '../../schemas/parameters.js';
import { templateResponse } from '../../schemas/template.js';
import { summaryOf } from './list.js';

/** What no template has is not malformed: it is just not found. */
const name = plainText
  .min(1)
  .max(128)
  .meta({ description: 'Name of the template', examples: ['water-tank'] });

/** GET /templates/template: one template with its project. */
export const getTemplate = defineRoute({
  method: 'GET',
  path: '/templates/template',
  auth: 'none',
  isLocal: true,
  summary: 'A template with its project',
  description:
    'Clients make a project of it: each target of a parameter gets `value · scale + offset`, and terms of several parameters for one place ' +
    'are added.',
  query: z.object({ name }),
  responses: {
    200: { description: 'The template, and its project with the defaults', schema: templateResponse },
    404: { description: 'No such template' },
  },
  handle: async ({ query }, { templates }) => {
    const template = templates.get(query.name);
    if (template === undefined) throw fail('TEMPLATE_NOT_FOUND');
    return answer({ message: 'Template', ...summaryOf(template), project: template.project });
  },
});
