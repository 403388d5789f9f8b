import { Alert, Button, Code, Group, Table } from '@mantine/core';
import type { Output } from '../api/client.js';
import { CopyButton } from '../shell/copy-button.js';
import { wholeLink } from '../shell/shown-once.js';
import { CLASS_TEXTS as T } from '../texts/classes.js';

interface Props {
  readonly invitations: Output<'POST', '/admin/classes/invitations'>['invitations'];
  /** Absent: what they are shown in has a way out. */
  readonly onDone?: () => void;
}

/** Links that are shown once. */
export function Invitations({ invitations, onDone }: Props) {
  const lines = invitations.map(({ username, link }) => ({ username, link: wholeLink(link) }));
  return (
    <Alert color="teal" variant="light" title={T.once} role="status">
      <Table>
        <Table.Tbody>
          {lines.map(({ username, link }) => (
            <Table.Tr key={username}>
              <Table.Td>{username}</Table.Td>
              <Table.Td>
                <Code style={{ overflowWrap: 'anywhere' }}>{link}</Code>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group mt="sm">
        <CopyButton text={lines.map(({ username, link }) => `${username}\t${link}`).join('\n')} label={T.copy} />
        {onDone !== undefined && (
          <Button variant="default" onClick={onDone}>
            {T.done}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
