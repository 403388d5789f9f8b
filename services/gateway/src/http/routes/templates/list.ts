import { answer } from '../../answer/answer.js';
import { defineRoute } from '../../route.js';
import { templatesResponse } from '../../schemas/template.js';
import type { Template } from '../../templates/read-template.js';

/** What the list shows of a template: everything but its project. */
export function summaryOf({ name, title, teaches, parameters, expected, pictureFile }: Template) {
  const picture = pictureFile === undefined ? null : `/templates/${name}/picture.png`;
  return { name, title, teaches, parameters, expected, picture };
}

/** GET /templates: projects to begin with, and what may be changed in each. */
export const listTemplates = defineRoute({
  method: 'GET',
  path: '/templates',
  auth: 'none',
  isLocal: true,
  summary: 'Templates of projects, with their parameters',
  responses: { 200: { description: 'Those of the suite and of the site', schema: templatesResponse } },
  handle: async (_request, { templates }) =>
    answer({ message: 'Templates of projects', templates: [...templates.values()].map(summaryOf) }),
});
