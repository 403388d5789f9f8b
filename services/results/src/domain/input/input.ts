import type { JobDescription, OutputWarning } from '@tally/merge';
import { fail } from '../errors.js';
import type { ItemRules } from '../upload.js';

/** `editor`: project JSON; `files`: the simulator's own input files. */
export type InputKind = 'editor' | 'files';
/**
 * `submitted`: what the user sent, as JSON text; `deck`: a file of the deck made from it, or the user's own file;
 * `simulatorDeck`: one of the deck of the simulator that was asked for, where the built-in engine runs another.
 */
export type DocumentRole = 'submitted' | 'deck' | 'simulatorDeck';

/** What is to be said of an input beside its documents. */
export interface InputNotes {
  /** What the results are shown with: the warnings of the submission. */
  readonly warnings: readonly OutputWarning[];
  /** What the deck of the simulator that was asked for lacks, or why there is none. */
  readonly simulatorDeckNote?: string;
  /** What the job simulates, and as what it was submitted. */
  readonly description?: JobDescription;
}

/** First part of an input. */
export interface InputHeader extends InputNotes {
  readonly jobId: string;
  readonly ownerId: bigint;
  readonly kind: InputKind;
  /** Documents that follow, if the sender said. */
  readonly documentCount: number | undefined;
  /** Stored bytes of the owner from which on the input is refused; undefined: none. */
  readonly ownerStoredBytesMax?: number | undefined;
}

/** A document of an input, without its bytes. */
export interface InputDocument {
  readonly role: DocumentRole;
  /** One path component. */
  readonly name: string;
  /** Bytes that follow, if the sender said. */
  readonly sizeBytes: number | undefined;
}

/** Bounds on an input. */
export interface InputLimits {
  readonly inputBytesMax: number;
  readonly inputDocumentsMax: number;
}

const FILE_NAME = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,128}$/;

/** Rules for the documents of one input; they remember what has passed, so make new ones for each. */
export function documentRules(limits: InputLimits): ItemRules<InputDocument> {
  const seen = new Set<string>();
  return {
    check({ role, name, sizeBytes }) {
      const require = (isRight: boolean, what: string) => {
        if (!isRight) throw fail('UPLOAD_INVALID', { message: `A document of the input ${what}` });
      };
      require(FILE_NAME.test(name), 'has a name that is no plain file name');
      require(!seen.has(`${role}/${name}`), 'occurs twice');
      seen.add(`${role}/${name}`);
      return sizeBytes;
    },
    sizeError: ({ name }, expectedBytes) =>
      fail('UPLOAD_INVALID', { message: `Document ${name} was announced with ${expectedBytes} bytes` }),
    countMax: limits.inputDocumentsMax,
    noun: 'documents',
    bytesMax: limits.inputBytesMax,
  };
}
