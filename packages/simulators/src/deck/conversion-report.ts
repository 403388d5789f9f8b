import type { ConversionItem } from '../conversion-error.js';
import type { ConversionWarning } from '../conversion-warning.js';
import { spendSteps } from './steps.js';

/** Collects, during one conversion, everything that must be said about it at its end; each thing once. */
export interface ConversionReport {
  /** What the engine cannot do, or what contradicts itself: the conversion will fail, but goes on to find the rest. */
  refuse(path: string, message: string): void;
  warn(code: string, message: string): void;
  /** Remembers which part of the project a part of the problem came from. */
  trace(problemPath: string, projectPath: string): void;
  /** The place in the project that a place in the problem came from; the problem's own when nothing is remembered. */
  originOf(problemPath: string): string;
  readonly items: readonly ConversionItem[];
  readonly warnings: readonly ConversionWarning[];
}

/** @param readingWarnings - what has been said of the project before */
export function createConversionReport(readingWarnings: readonly ConversionWarning[] = []): ConversionReport {
  const items: ConversionItem[] = [];
  const warnings = [...readingWarnings];
  const said = new Set(warnings.map(({ code, message }) => `${code} ${message}`));
  const refused = new Set<string>();
  /** Whether it has not been there before. */
  const isNew = (known: Set<string>, text: string): boolean => {
    spendSteps();
    if (known.has(text)) return false;
    known.add(text);
    return true;
  };
  const origins = new Map<string, string>();
  return {
    items,
    warnings,
    refuse(path, message) {
      if (isNew(refused, `${path} ${message}`)) items.push({ path, message });
    },
    warn(code, message) {
      if (isNew(said, `${code} ${message}`)) warnings.push({ code, message });
    },
    trace: (problemPath, projectPath) => origins.set(problemPath, projectPath),
    originOf(problemPath) {
      for (let path = problemPath; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) {
        const origin = origins.get(path);
        if (origin !== undefined) return origin;
      }
      return problemPath;
    },
  };
}
