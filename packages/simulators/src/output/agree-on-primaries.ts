import { OutputError } from '../output-error.js';

/** Every file of a task must stand for the same number of histories. */
export interface PrimariesAgreement {
  /** @throws OutputError `UNREADABLE` when an earlier file said another number */
  add(primaries: number, fileName: string): void;
  /** What all files say; 0 without any. */
  value(): number;
}

export function agreeOnPrimaries(): PrimariesAgreement {
  let agreed: number | undefined;
  return {
    add(primaries, fileName) {
      if (agreed !== undefined && agreed !== primaries) {
        throw new OutputError('UNREADABLE', fileName, `stands for ${primaries} primaries, another file for ${agreed}`);
      }
      agreed = primaries;
    },
    value: () => agreed ?? 0,
  };
}
