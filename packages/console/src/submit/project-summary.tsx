import { Alert, Badge, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Problem } from '../api/client.js';
import { TEXTS } from '../texts.js';
import { beamWords, indexOf, listOf, nameOf, type Output, type Project, placeOf, sizeWords } from './project.js';

const T = TEXTS.submit;

interface SummaryProps {
  readonly project: Project;
  readonly faults: Problem['fields'];
}

/** A project in words, each fault that the service found at its place. */
export function ProjectSummary({ project, faults }: SummaryProps) {
  const at = (place: ReturnType<typeof placeOf>) => faults.filter(({ field }) => placeOf(field) === place);
  const materials = listOf(project.materialManager?.materials);
  const materialOf = (uuid: string | undefined) => nameOf(materials.find((material) => material.uuid === uuid)?.name);
  const description = project.project?.description;
  return (
    <Card withBorder>
      <Stack>
        {typeof description === 'string' && description !== '' && (
          <Text size="sm" c="dimmed">
            {description}
          </Text>
        )}
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Section title={T.beam} faults={at('beam')} items={[beamWords(project.beam)]} />
          <Section
            title={T.zones}
            faults={at('zones')}
            items={listOf(project.zoneManager?.zones).map(
              ({ name, materialUuid }) => `${nameOf(name)}: ${materialOf(materialUuid)}`,
            )}
          />
          <Section
            title={T.materials}
            faults={at('materials')}
            items={materials.map(({ name, density }) =>
              typeof density === 'number' ? `${nameOf(name)}, ${density} g/cm³` : nameOf(name),
            )}
          />
          <Section
            title={T.detectors}
            faults={at('detectors')}
            items={listOf(project.detectorManager?.detectors).map(
              (detector) => `${nameOf(detector.name)}: ${sizeWords(detector)}`,
            )}
          />
        </SimpleGrid>
        <Section
          title={T.outputs}
          faults={at('outputs')}
          items={listOf(project.scoringManager?.outputs).map((output, i) => <Quantities key={i} output={output} />)}
        />
        {at('elsewhere').length > 0 && <Section title={T.elsewhere} faults={at('elsewhere')} items={[]} />}
      </Stack>
    </Card>
  );
}

function Quantities({ output: { name, quantities } }: { readonly output: Output }) {
  return (
    <Group gap={6}>
      <Text size="sm">{nameOf(name)}</Text>
      {listOf(quantities).map((quantity, n) => (
        <Badge key={n} variant="light" color="gray" tt="none" fw={500} autoContrast c="var(--mantine-color-text)">
          {nameOf(quantity.name ?? quantity.keyword)}
        </Badge>
      ))}
    </Group>
  );
}

interface SectionProps {
  readonly title: string;
  readonly faults: Problem['fields'];
  readonly items: readonly ReactNode[];
}

/** A part of a project: each fault stands below what it names, the others at the end. */
function Section({ title, faults, items }: SectionProps) {
  const others = faults.filter(({ field }) => (indexOf(field) ?? items.length) >= items.length);
  return (
    <div>
      <Title order={2} size="h6" c="dimmed" mb={4}>
        {title}
      </Title>
      {items.map((item, i) => (
        <div key={i} data-item={i}>
          {typeof item === 'string' ? <Text size="sm">{item}</Text> : item}
          <Faults faults={faults.filter(({ field }) => indexOf(field) === i)} />
        </div>
      ))}
      <Faults faults={others} />
    </div>
  );
}

function Faults({ faults }: { readonly faults: Problem['fields'] }) {
  return faults.map(({ field, message }) => (
    <Alert key={`${field} ${message}`} color="red" variant="light" my={6} p="xs" role="alert">
      <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {field}
      </Text>
      <Text size="sm">{message}</Text>
    </Alert>
  ));
}
