import { viridis } from '../results/plot/plane-image.js';

/** The yellow end of the scale is too pale on white. */
const DARKEST = 0.02;
const PALEST = 0.86;

/** The colour of one of several curves that a parameter orders. */
export function familyColor(index: number, count: number): string {
  const share = count < 2 ? 0.45 : index / (count - 1);
  return viridis(DARKEST + share * (PALEST - DARKEST));
}
