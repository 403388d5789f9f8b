import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Logger } from '@tally/service-kit';
import { templateName } from '../schemas/template.js';
import { readTemplate, type Template } from './read-template.js';

/** Templates by their names, in the order in which they are shown. */
export type TemplateLibrary = ReadonlyMap<string, Template>;

/** Templates of a site; more are left out. */
const SITE_TEMPLATES_MAX = 100;

/** Where those that come with the suite are: examples/templates of the repository, and a package in the image. */
const shippedFolder = (): string =>
  path.dirname(createRequire(import.meta.url).resolve('@tally/templates/package.json'));

/**
 * The templates that come with the suite, and those of a site: one of the same name replaces ours. What cannot be read is left out,
 * and the log says why.
 * @param siteFolder - empty: the site has none
 */
export function loadTemplates(siteFolder: string, logger: Logger): TemplateLibrary {
  const templates = new Map<string, Template>();
  for (const template of readFolder(shippedFolder(), logger)) templates.set(template.name, template);
  if (siteFolder !== '') for (const template of readFolder(siteFolder, logger)) templates.set(template.name, template);
  return templates;
}

function readFolder(folder: string, logger: Logger): Template[] {
  const leaveOut = (template: string, err: unknown) =>
    logger.warn({ folder, template, reason: err instanceof Error ? err.message : String(err) }, 'template left out');
  let names: string[];
  try {
    names = fs
      .readdirSync(folder)
      .filter((name) => templateName.safeParse(name).success && fs.statSync(path.join(folder, name)).isDirectory())
      .sort();
  } catch (err) {
    leaveOut('', err);
    return [];
  }
  for (const name of names.slice(SITE_TEMPLATES_MAX))
    leaveOut(name, `there are more than ${SITE_TEMPLATES_MAX} templates`);
  return names.slice(0, SITE_TEMPLATES_MAX).flatMap((name) => {
    try {
      return [readTemplate(path.join(folder, name))];
    } catch (err) {
      leaveOut(name, err);
      return [];
    }
  });
}
