// Values that the operators' guide shows: the chart takes them, and services take their settings.
import { parse } from 'yaml';
import { codeOf } from '../../packages/testkit/dist/src/index.js';

/** Blocks of values, by what `checks` says of each: `[title, values]`. */
export const guideValues = () =>
  [
    codeOf('operators-guide.md', 'Single sign-on', 'yaml'),
    codeOf('operators-guide.md', 'Simulators', 'yaml'),
    codeOf('operators-guide.md', 'Settings', 'yaml'),
  ]
    .flat()
    .map((text) => parse(text));

/** Names of metrics that the rules of an adapter ask for. */
export const guideSeries = () =>
  codeOf('operators-guide.md', 'Scaling runners', 'yaml')
    .flatMap((text) => parse(text).externalRules)
    .map(({ seriesQuery }) => seriesQuery);
