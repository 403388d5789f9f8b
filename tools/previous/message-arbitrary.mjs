// Random messages of any type, made from its descriptor alone: every kind of field, absent and present, numbers at the ends
// of their ranges, enum values that nobody knows.
import fc from 'fast-check';
import { protobuf } from './load-contracts.mjs';

const { create, reflect, ScalarType } = protobuf;
const NESTING_MAX = 4;
const ITEMS_MAX = 3;
/** No release has it; a later one may. */
const UNKNOWN_ENUM_VALUE = 9_999;

const unsigned64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const signed64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const unsigned32 = fc.nat({ max: 2 ** 32 - 1 });
const signed32 = fc.integer();
const SCALARS = {
  [ScalarType.DOUBLE]: fc.double({ noNaN: true }),
  [ScalarType.FLOAT]: fc.float({ noNaN: true }),
  [ScalarType.INT64]: signed64,
  [ScalarType.SINT64]: signed64,
  [ScalarType.SFIXED64]: signed64,
  [ScalarType.UINT64]: unsigned64,
  [ScalarType.FIXED64]: unsigned64,
  [ScalarType.INT32]: signed32,
  [ScalarType.SINT32]: signed32,
  [ScalarType.SFIXED32]: signed32,
  [ScalarType.UINT32]: unsigned32,
  [ScalarType.FIXED32]: unsigned32,
  [ScalarType.BOOL]: fc.boolean(),
  [ScalarType.STRING]: fc.string({ unit: 'binary' }),
  [ScalarType.BYTES]: fc.uint8Array({ maxLength: 20 }),
};
/** Whole milliseconds: instants are read as dates. */
const INSTANTS = {
  'google.protobuf.Timestamp': fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
  'google.protobuf.Duration': fc.date({ min: new Date(0), max: new Date('2000-01-01'), noInvalidDate: true }),
};

/** Has no JSON without the type of what it holds, which who sends it packs by itself: it stays empty. */
const ANY = 'google.protobuf.Any';

const enumValue = (entry) => fc.constantFrom(...entry.values.map(({ number }) => number), UNKNOWN_ENUM_VALUE);

function single({ scalar, enum: enumeration, message }, depth) {
  if (scalar !== undefined) return SCALARS[scalar];
  return enumeration === undefined ? messageArbitrary(message, depth + 1) : enumValue(enumeration);
}

function fieldValue(field, depth) {
  if (field.fieldKind === 'list') return fc.array(single(field, depth), { maxLength: ITEMS_MAX });
  if (field.fieldKind === 'map') {
    return fc.array(fc.tuple(SCALARS[field.mapKey], single(field, depth)), { maxLength: ITEMS_MAX });
  }
  return single(field, depth);
}

function setField(target, field, value) {
  const nested = (item) => (field.message === undefined ? item : reflect(field.message, item));
  if (field.fieldKind === 'list') for (const item of value) target.get(field).add(nested(item));
  else if (field.fieldKind === 'map') for (const [key, item] of value) target.get(field).set(key, nested(item));
  else target.set(field, nested(value));
}

/** Messages of a type, as the protobuf runtime has them. */
export function messageArbitrary(desc, depth = 0) {
  const instant = INSTANTS[desc.typeName];
  if (instant !== undefined) {
    return instant.map((date) => {
      const ms = date.getTime();
      return create(desc, { seconds: BigInt(Math.floor(ms / 1000)), nanos: (ms % 1000) * 1_000_000 });
    });
  }
  if (desc.typeName === ANY) return fc.constant(create(desc));
  const fields = desc.fields.filter((field) => field.message === undefined || depth < NESTING_MAX);
  const values = fields.map((field) => fc.option(fieldValue(field, depth), { nil: undefined, freq: 4 }));
  return fc.tuple(...values).map((given) => {
    const message = create(desc);
    const target = reflect(desc, message);
    given.forEach((value, i) => {
      if (value !== undefined) setField(target, fields[i], value);
    });
    return message;
  });
}
