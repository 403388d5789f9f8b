import { Alert, Button, Group, List, Text } from '@mantine/core';
import { toProblem } from '../api/client.js';
import { TEXTS } from '../texts.js';
import { CopyButton } from './copy-button.js';

/** An error in the service's words, every wrong field, and the request id to copy. */
export function ProblemNotice({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const { message, requestId, fields } = toProblem(error);
  return (
    <Alert color="red" variant="light" title={TEXTS.problem.title} role="alert" style={{ overflowWrap: 'anywhere' }}>
      <Text size="sm">{message}</Text>
      {fields.length > 0 && (
        <List size="sm" mt="xs">
          {fields.map(({ field, message: text }) => (
            <List.Item key={`${field} ${text}`}>
              <b>{field}</b> {text}
            </List.Item>
          ))}
        </List>
      )}
      <Group mt="sm" gap="xs">
        {onRetry !== undefined && (
          <Button size="compact-sm" variant="light" color="red" onClick={onRetry}>
            {TEXTS.problem.retry}
          </Button>
        )}
        {requestId !== undefined && (
          <CopyButton
            text={requestId}
            label={TEXTS.problem.copy}
            title={requestId}
            size="compact-sm"
            variant="subtle"
            color="red"
          />
        )}
      </Group>
    </Alert>
  );
}
