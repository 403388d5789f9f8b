import { ConversionError, type ConversionFailure, type ConversionItem } from './conversion-error.js';
import type { ConversionWarning } from './conversion-warning.js';

/** What becomes of quantities that a simulator cannot score: everything is refused, or they are left out. */
export const UNSUPPORTED_CHOICES = ['refuse', 'omit'] as const;
export type OnUnsupported = (typeof UNSUPPORTED_CHOICES)[number];

const OMISSION_CODE = 'QUANTITY_OMITTED';

/** Whether a warning says that a quantity is left out. */
export function isOmission({ code }: ConversionWarning): boolean {
  return code === OMISSION_CODE;
}

/** What people call a quantity. */
export interface QuantityNames {
  /** Of the project's output, or of the file that it would go to. */
  readonly output: string;
  readonly quantity: string;
}

/** How quantities are told apart while some of them are left out. */
export interface OmissionRules<Quantity, Result> {
  readonly quantities: readonly Quantity[];
  readonly nameOf: (quantity: Quantity) => QuantityNames;
  /** Places of what is left out with the quantity, unless another one needs it. */
  readonly placesOf: (quantity: Quantity) => Iterable<string>;
  /** The places that a refusal is about, from the narrowest on: the first that is a quantity's counts. */
  placesAround(refusal: ConversionItem): readonly string[];
  /** Converts without the quantities that are left out. @throws ConversionError */
  readonly attempt: (omitted: ReadonlySet<Quantity>) => Result;
}

/**
 * Leaves out the quantities that refusals are about, and nothing else; of each there is a warning, in their order.
 * @throws ConversionError of this reason, naming what cannot be left out, or everything if nothing would be scored
 */
export function omitRefused<Quantity, Result>(
  reason: ConversionFailure,
  rules: OmissionRules<Quantity, Result>,
): { readonly result: Result; readonly omissions: readonly ConversionWarning[] } {
  const { quantities, nameOf, attempt } = rules;
  const quantitiesAt = groupByPlace(rules);
  const refusals = new Map<Quantity, ConversionItem[]>();
  // every round leaves out one quantity or more: a refusal may hide others
  for (;;) {
    try {
      const result = attempt(new Set(refusals.keys()));
      const omissions = quantities.flatMap((quantity) => {
        const why = refusals.get(quantity);
        return why === undefined ? [] : [warnOfOmission(nameOf(quantity), why)];
      });
      return { result, omissions };
    } catch (cause) {
      if (!(cause instanceof ConversionError) || cause.reason !== reason) throw cause;
      const earlier = new Set(refusals.keys());
      const stuck = cause.items.filter((item) => {
        const refused = rules
          .placesAround(item)
          .map((place) => (quantitiesAt.get(place) ?? []).filter((quantity) => !earlier.has(quantity)))
          .find(({ length }) => length > 0);
        for (const quantity of refused ?? []) refusals.set(quantity, [...(refusals.get(quantity) ?? []), item]);
        return refused === undefined;
      });
      if (stuck.length > 0 || cause.items.length === 0) throw new ConversionError(reason, stuck, { cause });
      if (refusals.size < quantities.length) continue;
      throw new ConversionError(reason, [...new Set([...refusals.values()].flat())], { cause });
    }
  }
}

function groupByPlace<Quantity>({ quantities, placesOf }: OmissionRules<Quantity, unknown>): Map<string, Quantity[]> {
  const groups = new Map<string, Quantity[]>();
  for (const quantity of quantities) {
    for (const place of placesOf(quantity)) {
      const group = groups.get(place);
      if (group === undefined) groups.set(place, [quantity]);
      else group.push(quantity);
    }
  }
  return groups;
}

function warnOfOmission({ output, quantity }: QuantityNames, refusals: readonly ConversionItem[]): ConversionWarning {
  const why = refusals.map(({ message }) => message).join('; ');
  return { code: OMISSION_CODE, message: `"${quantity}" of output "${output}" is left out: ${why}` };
}
