import { Tooltip } from '@mantine/core';
import { instant, wholeInstant } from '../format.js';

interface MomentProps {
  /** ISO 8601. */
  readonly at: string;
  /** Whether the keyboard stops at it: in a long list it does not. */
  readonly isFocusable?: boolean;
}

/** An instant as people say it; date, seconds and zone at the pointer. */
export function Moment({ at, isFocusable = false }: MomentProps) {
  return (
    <Tooltip label={wholeInstant(at)}>
      <time dateTime={at} {...(isFocusable ? { tabIndex: 0 } : {})}>
        {instant(at)}
      </time>
    </Tooltip>
  );
}
