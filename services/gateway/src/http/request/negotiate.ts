import { fail } from '../../errors.js';

/** A media range of Accept with its weight (RFC 9110, 12.5.1). */
interface MediaRange {
  readonly type: string;
  readonly weight: number;
}

/**
 * The offered media type that an Accept header prefers: by weight, among equals the earlier offer. Without the header the first
 * offer.
 * @throws ServiceError NOT_ACCEPTABLE naming the offers
 */
export function negotiate<Type extends string>(accept: string | undefined, offers: readonly [Type, ...Type[]]): Type {
  if (accept === undefined || accept.trim() === '') return offers[0];
  const ranges = accept.split(',').map(parseRange);
  let best: { readonly type: Type; readonly weight: number } | undefined;
  for (const type of offers) {
    const weight = weightOf(type, ranges);
    if (weight > (best?.weight ?? 0)) best = { type, weight };
  }
  if (best === undefined) throw fail('NOT_ACCEPTABLE', { message: `Accept names none of ${offers.join(', ')}` });
  return best.type;
}

function parseRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  const weight = quality === undefined ? 1 : Number(quality.slice(2));
  return { type, weight: weight >= 0 && weight <= 1 ? weight : 0 };
}

/** The weight of the most specific range that has the type. */
function weightOf(type: string, ranges: readonly MediaRange[]): number {
  const [main = ''] = type.split('/');
  for (const candidate of [type, `${main}/*`, '*/*']) {
    const found = ranges.find((range) => range.type === candidate);
    if (found !== undefined) return found.weight;
  }
  return 0;
}
