import { Alert, Code, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.js';

/** A link as a whole address: the service may know only the path. */
export const wholeLink = (link: string): string => (link.startsWith('/') ? `${location.origin}${link}` : link);

/** A secret or link that nobody sees again, to be copied. */
export function ShownOnce({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text: string;
  readonly children?: ReactNode;
}) {
  return (
    <Alert color="teal" variant="light" title={title} role="status">
      <Group wrap="nowrap">
        <Code style={{ overflowWrap: 'anywhere' }}>{text}</Code>
        <CopyButton text={text} size="compact-sm" />
      </Group>
      {children}
    </Alert>
  );
}
