import { Alert, Button, FileButton, Group, Stack, Table, Text, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { figure } from '../../format.js';
import { EDITOR_TEXTS } from '../../texts/editor.js';
import { ask } from '../check/ask.js';
import { useEditor, useProblemsAt, useValue } from '../editor-context.js';
import { textAt, withValueAt } from '../model/pointer.js';
import { ChoiceField, NumberField, Row, words } from './fields.js';

const T = EDITOR_TEXTS.spots;
const FILE = '/beam/sourceFile';
/** Longest text that is shown to be changed by hand, characters. */
const TYPED_MAX = 100_000;
const ROWS_SHOWN = 8;
/** The name of a list that came from no file. */
const PASTED = 'sobp.dat';
const SETTLED_MS = 250;

/** A list of spots, typed, pasted or from a file, with what is understood of it. */
export function SpotsForm() {
  const { store } = useEditor();
  const file = useValue(FILE);
  const sad = textAt(useValue('/beam/sad'), '/type') || 'none';
  const text = textAt(file, '/value');
  const name = textAt(file, '/name');
  const put = (value: string, called: string) =>
    store.edit((project) => withValueAt(project, FILE, { ...Object(file), value, name: called || PASTED }), FILE);
  const problems = useProblemsAt(FILE);
  return (
    <Stack gap="sm">
      {text.length <= TYPED_MAX ? (
        <Textarea
          label={T.list}
          description={T.columns}
          placeholder={T.placeholder}
          autosize
          minRows={4}
          maxRows={10}
          value={text}
          onChange={(event) => put(event.currentTarget.value, name)}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
          data-pointer={FILE}
        />
      ) : (
        <Text size="sm">{T.long(name, text.length)}</Text>
      )}
      <Group gap="xs">
        <FileButton onChange={(chosen) => chosen !== null && void chosen.text().then((read) => put(read, chosen.name))}>
          {(props) => (
            <Button {...props} size="xs" variant="default">
              {T.fromFile}
            </Button>
          )}
        </FileButton>
        {name !== '' && (
          <Text size="xs" c="dimmed">
            {name}
          </Text>
        )}
      </Group>
      <Preview text={text} />
      {text === '' && problems.length > 0 && <Text c="red">{words(problems)}</Text>}
      <Row>
        <ChoiceField
          pointer="/beam/sad/type"
          label={T.sad}
          otherwise="none"
          data={[
            { value: 'none', label: T.parallel },
            { value: 'single', label: T.single },
            { value: 'double', label: T.double },
          ]}
        />
        {sad !== 'none' && <NumberField pointer="/beam/sad/x" label={T.sadX} unit="cm" otherwise={0} />}
        {sad === 'double' && <NumberField pointer="/beam/sad/y" label={T.sadY} unit="cm" otherwise={0} />}
      </Row>
    </Stack>
  );
}

function Preview({ text }: { readonly text: string }) {
  const particle = useValue('/beam/particle');
  const [settled] = useDebouncedValue(text, SETTLED_MS);
  const read = useQuery({
    queryKey: ['spots', settled, particle],
    queryFn: () => ask('spots', { text: settled, particle }),
    enabled: settled !== '',
    gcTime: 0,
    placeholderData: (before) => before,
  });
  if (text === '' || read.data === undefined) return undefined;
  const { spots, count, faults } = read.data;
  const energies = spots.map(({ energyMev }) => energyMev);
  if (faults.length > 0) {
    return (
      <Alert color="red" variant="light" role="alert" title={T.faulty}>
        {faults.map(({ line, message }) => (
          <Text size="sm" key={`${line} ${message}`} data-spot-fault={line}>
            {line === undefined ? message : T.atLine(line, message)}
          </Text>
        ))}
      </Alert>
    );
  }
  return (
    <div>
      <Text size="sm" fw={500} data-spot-count={count}>
        {T.found(count, figure(Math.min(...energies)), figure(Math.max(...energies)))}
      </Text>
      <Table.ScrollContainer minWidth={380}>
        <Table verticalSpacing={2} fz="xs" striped>
          <Table.Thead>
            <Table.Tr>
              {T.headings.map((heading) => (
                <Table.Th key={heading}>{heading}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {spots.slice(0, ROWS_SHOWN).map((spot, i) => (
              <Table.Tr key={i}>
                {[spot.energyMev, spot.xCm, spot.yCm, spot.sigmaXCm, spot.sigmaYCm, spot.weight].map(
                  (value, column) => (
                    <Table.Td key={column}>{figure(value)}</Table.Td>
                  ),
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {count > ROWS_SHOWN && (
        <Text size="xs" c="dimmed">
          {T.more(count - ROWS_SHOWN)}
        </Text>
      )}
    </div>
  );
}
