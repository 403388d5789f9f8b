import type { jobs } from '@tally/contracts';
import type { Answer, RouteRequest, RouteServices } from '../route.js';

/** Before a version in a validator: another number where the same thing is written otherwise. */
const TAG_PREFIX = 'v1-';

/** The version that a client has. */
const toKnownVersion = (ifNoneMatch = '') => /"v1-([\w-]{1,100})"/.exec(ifNoneMatch)?.[1] ?? '';

/** What is asked for, and how it is answered. */
interface Asked<Found> {
  /** Another one for everything that is written otherwise. */
  readonly name: string;
  readonly what: NonNullable<jobs.VersionQuery['what']>;
  /** All of it; what has the known version may be left out. */
  find(knownVersion: string): Promise<Found>;
  /** The text of what was found, JSON. */
  write(found: Found): string;
}

/**
 * Answers with what is known, here or to the client, while it has that version, which is asked for together with others; else with
 * what there is now, which is known from then on. Of what has just changed all is asked for at once. What has no version is sent
 * and forgotten.
 */
export async function answerUnlessKnown<Found extends { readonly version?: string | undefined }>(
  { knownAnswers, getVersion }: Pick<RouteServices, 'knownAnswers' | 'getVersion'>,
  request: Pick<RouteRequest<'session'>, 'session' | 'header'>,
  asked: Asked<Found>,
): Promise<Answer> {
  const known = knownAnswers.get(asked.name);
  const knownVersion = known?.version ?? toKnownVersion(request.header('if-none-match'));
  const show = (version: string, text: string | undefined): Answer => {
    return { kind: 'text', status: 200, text, tag: `${TAG_PREFIX}${version}` };
  };
  if (knownVersion !== '' && known?.isChanging !== true) {
    const version = await getVersion({ userId: request.session.userId, what: asked.what });
    if (version === knownVersion) return show(version, known?.text);
  }
  const found = await asked.find(knownVersion);
  const { version } = found;
  if (version === undefined) return { kind: 'text', status: 200, text: asked.write(found) };
  const isSame = version === knownVersion;
  const text = isSame ? known?.text : asked.write(found);
  if (text !== undefined) knownAnswers.set(asked.name, { version, text, isChanging: !isSame && known !== undefined });
  return show(version, text);
}
