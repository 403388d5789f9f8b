/** A part of a text; powers are raised. */
export interface Piece {
  readonly text: string;
  readonly isRaised: boolean;
}

const RAISED: Readonly<Record<string, string>> = {
  '⁰': '0',
  '¹': '1',
  '²': '2',
  '³': '3',
  '⁴': '4',
  '⁵': '5',
  '⁶': '6',
  '⁷': '7',
  '⁸': '8',
  '⁹': '9',
  '⁻': '−',
  ⁿ: 'n',
};
const POWER = /([⁰¹²³⁴⁵⁶⁷⁸⁹⁻ⁿ]+)/;

/** A text in parts, its powers (`cm⁻²`) apart from the rest: no font has to have raised digits. */
export function toPieces(text: string): Piece[] {
  return text.split(POWER).flatMap((part, i) => {
    if (part === '') return [];
    const isRaised = i % 2 === 1;
    return [{ text: isRaised ? Array.from(part, (digit) => RAISED[digit] ?? digit).join('') : part, isRaised }];
  });
}

const DIGITS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** `⁻³` */
export const raised = (power: number): string =>
  `${power < 0 ? '⁻' : ''}${Array.from(String(Math.abs(power)), (digit) => DIGITS[Number(digit)]).join('')}`;

/** A unit as a figure has it: `keV/µm`, `cm⁻²` for `/cm^2`, `MeV/g per primary`. */
export function unitWords(unit: string): string {
  return unit
    .replace(/\/prim$/, ' per primary')
    .replace(/^1?\/([a-zA-Z]+)\^?(\d)?/, (_, name: string, power?: string) => `${name}${raised(-Number(power ?? 1))}`)
    .replace(/\^(-?\d)/g, (_, power: string) => raised(Number(power)))
    .replace(/\b(cm|mm)([23])\b/g, (_, name: string, power: string) => `${name}${raised(Number(power))}`)
    .replace(/\bum\b/g, 'µm');
}

/** A quantity with its unit (ISO 80000-1, 7.2): `z / cm`, `Dose / (MeV/g)`. */
export function quantityWords(name: string, unit: string): string {
  const words = unitWords(unit);
  if (words === '' || words === '1') return name;
  const bracketed = /[/ ]/.test(words) ? `(${words})` : words;
  return name === '' ? words : `${name} / ${bracketed}`;
}

/** Widths of Helvetica in parts of the size of its letters (Adobe's font metrics), as far as classes of letters go. */
function widthOf(character: string): number {
  if (/[ilj.,:;|!'’]/.test(character)) return 0.25;
  if (/[ frtI()[\]/-]/.test(character)) return 0.31;
  if (/[mwMW%@]/.test(character)) return 0.86;
  if (/[A-Z]/.test(character)) return 0.7;
  return 0.556;
}

const RAISED_SIZE = 0.7;

/** About how wide a text is, in the unit of the size of its letters. */
export function textWidth(text: string, fontSize: number): number {
  return toPieces(text).reduce(
    (sum, piece) =>
      sum +
      fontSize *
        (piece.isRaised ? RAISED_SIZE : 1) *
        Array.from(piece.text).reduce((all, one) => all + widthOf(one), 0),
    0,
  );
}

/** A text of at most a width, shortened in the middle by an ellipsis. */
export function fitText(text: string, fontSize: number, width: number): string {
  if (textWidth(text, fontSize) <= width) return text;
  for (let length = text.length - 1; length > 2; length -= 1) {
    const half = Math.ceil(length / 2);
    const short = `${text.slice(0, half).trimEnd()}…${text.slice(text.length - (length - half)).trimStart()}`;
    if (textWidth(short, fontSize) <= width) return short;
  }
  return text.slice(0, 1);
}
