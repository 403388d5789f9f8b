import type { ConversionWarning } from '../conversion-warning.js';
import { EDITOR_SIMULATORS, HIDDEN_VALUES, type HiddenValue } from './hidden-values.js';
import { changeAt, isObject, type JsonPlace, memberOf } from './json.js';

/** How many places one warning names. */
const PLACES_SHOWN_MAX = 3;

type Warn = (warning: ConversionWarning) => void;

/**
 * A project without what its user cannot see in the editor ({@link HIDDEN_VALUES}): the schema gives the editor's
 * defaults instead. What was there, and was more than such a default, is warned of.
 */
export function dropHiddenValues(json: unknown, warn: Warn): unknown {
  return HIDDEN_VALUES.reduce((project, hidden) => dropHidden(project, hidden, warn), json);
}

function dropHidden(json: unknown, hidden: HiddenValue, warn: Warn): unknown {
  const { pattern, shown, isShown, keptAs, instead, isUntouched } = hidden;
  const pointers: string[] = [];
  const named = memberOf(memberOf(json, 'project'), 'simulator');
  const simulator = EDITOR_SIMULATORS.find((known) => known === named);
  const beam = memberOf(json, 'beam');
  const drop = (value: unknown, { pointer, around }: JsonPlace): unknown => {
    const [ownersOwner = {}, owner = {}] = around.slice(-2);
    const place = { simulator, beam: isObject(beam) ? beam : {}, owner, ownersOwner };
    if (isShown(place)) return value;
    const isKept = keptAs?.safeParse(value).success === true;
    const isTold = isKept && isUntouched === undefined ? false : isUntouched?.(value) !== true;
    if (value !== null && isTold) pointers.push(pointer);
    return isKept ? value : instead;
  };
  const dropped = changeAt(json, pattern, drop);
  if (pointers.length > 0) {
    const places = pointers.slice(0, PLACES_SHOWN_MAX).join(', ');
    const more = pointers.length > PLACES_SHOWN_MAX ? ` and ${pointers.length - PLACES_SHOWN_MAX} more` : '';
    warn({ code: 'HIDDEN_VALUE_UNUSED', message: `${places}${more}: not used, the editor shows it ${shown}` });
  }
  return dropped;
}
