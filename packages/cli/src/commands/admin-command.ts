import type { TallyClient } from '@tally/client';
import type { Command } from 'commander';
import type { LoginOptions } from './account.js';

export interface ReasonOptions extends LoginOptions {
  readonly reason: string;
}

/** How commands of operators are added: each signs in and out. */
export interface Adding {
  readonly add: (name: string, description: string) => Command;
  readonly addChange: (name: string, description: string) => Command;
  readonly run: <T>(
    work: (client: TallyClient, given: readonly string[], options: ReasonOptions) => Promise<T>,
    text: (value: T) => string,
  ) => (...given: unknown[]) => Promise<void>;
}

/** What the service says. */
export const words = ({ message }: { readonly message: string }): string => message;
