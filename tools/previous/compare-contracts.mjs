// What it takes for services of two releases to talk to each other, beyond what buf knows: random messages of every type
// that both have, said by the code of one release and heard by the code of the other.
import fc from 'fast-check';
import { protobuf } from './load-contracts.mjs';
import { messageArbitrary } from './message-arbitrary.mjs';

const { equals, fromBinary, toBinary, toJson } = protobuf;
const KNOWN_ONLY = { readUnknownFields: false };
const SEED = 20_260_101;

const jsonOf = (desc, bytes) =>
  toJson(desc, fromBinary(desc, bytes, KNOWN_ONLY), { enumAsInteger: true, alwaysEmitImplicit: true });

/** Whether everything that `part` says is said by `whole` too. */
function isWithin(part, whole) {
  if (part === null || typeof part !== 'object') return Object.is(part, whole);
  if (whole === null || typeof whole !== 'object') return false;
  if (Array.isArray(part)) {
    return Array.isArray(whole) && part.length === whole.length && part.every((item, i) => isWithin(item, whole[i]));
  }
  return Object.entries(part).every(([key, value]) => isWithin(value, whole[key]));
}

/** A message after our code has read and written it, as the runtime reads it. */
const relayed = (codec, desc, bytes) => fromBinary(desc, codec.encode(codec.decode(bytes)).finish(), KNOWN_ONLY);

/** First fault of a message type between the code that says it and the code that hears it; undefined: none. */
function messageFault(typeName, from, to, count) {
  const [said, heard] = [from.messages.get(typeName), to.messages.get(typeName)];
  const [speaker, listener] = [from.codecs.get(typeName), to.codecs.get(typeName)];
  const outcome = fc.check(
    fc.property(messageArbitrary(said), (message) => {
      // as the service of one release would send it
      const bytes = speaker.encode(speaker.decode(toBinary(said, message))).finish();
      // the code of the other takes all that its release knows of it
      if (!equals(heard, fromBinary(heard, bytes, KNOWN_ONLY), relayed(listener, heard, bytes))) return false;
      // and what the older one knows means the same to both
      const [older, newer] = from.isOlder ? [said, heard] : [heard, said];
      return isWithin(jsonOf(older, bytes), jsonOf(newer, bytes));
    }),
    { numRuns: count, seed: SEED },
  );
  if (!outcome.failed) return undefined;
  const example = outcome.counterexample === null ? '' : `: ${JSON.stringify(toJson(said, outcome.counterexample[0]))}`;
  const why = outcome.errorInstance instanceof Error ? ` (${outcome.errorInstance.message})` : '';
  return `${typeName} of the ${from.isOlder ? 'previous' : 'new'} release is read wrongly by the other${why}${example}`;
}

/** Faults of the RPCs: what callers of the previous release would miss. One that it calls deprecated may be gone. */
export function methodFaults(previous, now) {
  return [...previous.methods].flatMap(([path, before]) => {
    const after = now.methods.get(path);
    if (after === undefined) return before.deprecated ? [] : [`${path} is gone`];
    const shape = ({ methodKind, input, output, idempotency }) =>
      [methodKind, input.typeName, output.typeName, idempotency].join(' ');
    return shape(before) === shape(after) ? [] : [`${path} was ${shape(before)} and is ${shape(after)}`];
  });
}

/** Faults of all messages that both releases have, both ways; `count` messages of each type and way. */
export function messageFaults(previous, now, count) {
  const older = { ...previous, isOlder: true };
  const newer = { ...now, isOlder: false };
  const types = [...previous.messages.keys()].filter((typeName) => now.messages.has(typeName));
  return types.flatMap((typeName) =>
    [messageFault(typeName, older, newer, count), messageFault(typeName, newer, older, count)].filter(
      (fault) => fault !== undefined,
    ),
  );
}

/** Enum values that the previous release does not have: it refuses what says them. */
export function newEnumValues(previous, now) {
  return [...now.enums].flatMap(([typeName, { values }]) => {
    const known = new Set(previous.enums.get(typeName)?.values.map(({ number }) => number));
    return previous.enums.has(typeName)
      ? values.filter(({ number }) => !known.has(number)).map(({ name }) => name)
      : [];
  });
}
