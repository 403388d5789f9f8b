import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { GammaCriteria } from '../api/queries.js';

const UNLESS_CHANGED = { dosePercent: 2, distanceMm: 1, cutoffPercent: 10 };
const SETTLED_MS = 400;

/** What γ is asked with: as it is typed, and as it was when the typing ended. */
export interface GammaChoice {
  readonly criteria: GammaCriteria;
  readonly settled: GammaCriteria;
  readonly set: (name: 'dosePercent' | 'distanceMm' | 'cutoffPercent', value: number) => void;
}

/** @param isMapped - whether γ of each bin is wanted */
export function useGamma(isMapped: boolean): GammaChoice {
  const [criteria, setCriteria] = useState<GammaCriteria>({ ...UNLESS_CHANGED, isMapped });
  const [settled] = useDebouncedValue(criteria, SETTLED_MS);
  return { criteria, settled, set: (name, value) => setCriteria((before) => ({ ...before, [name]: value })) };
}
