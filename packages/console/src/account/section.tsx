import { Card, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A part of the account page. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Card withBorder component="section" aria-label={title}>
      <Title order={2} size="h5" mb="sm">
        {title}
      </Title>
      {children}
    </Card>
  );
}
