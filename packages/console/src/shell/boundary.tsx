import { Alert, Button, Container, Text } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { TEXTS } from '../texts.js';

/** In place of a page that failed: never a blank one. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  return (
    <Container size="sm" py="xl">
      <Alert color="red" title={TEXTS.problem.page} role="alert">
        <Text size="sm">{error instanceof Error ? error.message : String(error)}</Text>
        <Button mt="sm" size="xs" variant="light" color="red" onClick={reset}>
          {TEXTS.problem.retry}
        </Button>
      </Alert>
    </Container>
  );
}
