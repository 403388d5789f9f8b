import { Button, type ButtonProps, CopyButton as MantineCopyButton } from '@mantine/core';
import { TEXTS } from '../texts.js';

interface CopyButtonProps extends ButtonProps {
  /** What is copied. */
  readonly text: string;
  readonly label?: string;
  readonly title?: string;
}

/** Copies a text, and says that it has. */
export function CopyButton({ text, label = TEXTS.results.copy, ...button }: CopyButtonProps) {
  return (
    <MantineCopyButton value={text}>
      {({ copied, copy }) => (
        <Button {...button} onClick={copy}>
          {copied ? TEXTS.problem.copied : label}
        </Button>
      )}
    </MantineCopyButton>
  );
}
