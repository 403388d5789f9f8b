import { Text, Tooltip } from '@mantine/core';

interface DefinedProps {
  readonly children: string;
  /** What it means. */
  readonly definition: string | undefined;
}

/** A term that says what it means under the pointer, and where the keyboard stops at it. */
export function Defined({ children, definition }: DefinedProps) {
  if (definition === undefined) return children;
  return (
    <Tooltip label={definition} multiline maw={300}>
      <Text span inherit tabIndex={0} td="underline dotted" style={{ textUnderlineOffset: 3 }}>
        {children}
      </Text>
    </Tooltip>
  );
}
