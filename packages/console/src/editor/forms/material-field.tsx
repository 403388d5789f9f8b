import { Button, Group, Input, Modal, Select, Table, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { EDITOR_TEXTS } from '../../texts/editor.js';
import { useEditor, useProblemsAt, useProject } from '../editor-context.js';
import { chooseMaterial, materialOf, type TableMaterial } from '../model/materials.js';
import { numberAt, textAt, valueAt } from '../model/pointer.js';
import { NumberField, words } from './fields.js';

const T = EDITOR_TEXTS.materials;
/** Rows of the table at once: a search makes it short. */
const ROWS_MAX = 300;

/** Whether a material is what somebody types: by name, element or ICRU id. */
const matches = ({ label, sanitizedName, icru }: TableMaterial, typed: string): boolean => {
  const wanted = typed.trim().toLowerCase();
  return `${label} ${sanitizedName.replaceAll('_', ' ')} ${icru}`.toLowerCase().includes(wanted);
};

interface ChoiceProps {
  readonly label: string;
  readonly icru: number | undefined;
  /** Stands there where the table does not have the material. */
  readonly name: string;
  readonly onChoose: (material: TableMaterial) => void;
  readonly error?: React.ReactNode;
  readonly pointer?: string;
}

/** A material by typing a part of its name. */
export function MaterialChoice({ label, icru, name, onChoose, error, pointer }: ChoiceProps) {
  const { materials } = useEditor();
  const isKnown = materials.some((one) => one.icru === icru);
  const data = materials.map((one) => ({ value: String(one.icru), label: one.label }));
  return (
    <Select
      label={label}
      size="sm"
      searchable
      allowDeselect={false}
      nothingFoundMessage={T.none}
      limit={60}
      data={isKnown ? data : [{ value: 'own', label: name }, ...data]}
      filter={({ options, search }) => {
        const chosen = materials.find(({ icru: id }) => id === icru);
        if (search === '' || search === chosen?.label) return options;
        return options.filter((option) => {
          const material = 'value' in option ? materials.find((one) => String(one.icru) === option.value) : undefined;
          return material !== undefined && matches(material, search);
        });
      }}
      renderOption={({ option }) => {
        const material = materials.find((one) => String(one.icru) === option.value);
        return (
          <Group justify="space-between" w="100%" wrap="nowrap" gap="xs">
            <Text size="sm">{option.label}</Text>
            <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
              {material === undefined || material.density === 0 ? '' : T.density(material.density)}
            </Text>
          </Group>
        );
      }}
      value={isKnown ? String(icru) : 'own'}
      onChange={(value) => {
        const material = materials.find((one) => String(one.icru) === value);
        if (material !== undefined) onChoose(material);
      }}
      error={error}
      data-pointer={pointer}
    />
  );
}

/** The material of a zone or the world, with its density and another one over it. */
export function MaterialField({
  owner,
  hasOverride = true,
}: {
  readonly owner: string;
  readonly hasOverride?: boolean;
}) {
  const { store, materials } = useEditor();
  const project = useProject();
  const [isOpen, setIsOpen] = useState(false);
  const problems = useProblemsAt(`${owner}/materialUuid`);
  const material = materialOf(project, valueAt(project, owner));
  const icru = material === undefined ? undefined : numberAt(material, '/icru', Number.NaN);
  const known = materials.find((one) => one.icru === icru);
  const choose = (chosen: TableMaterial) => {
    store.dropDrafts(`${owner}/materialPropertiesOverrides`);
    store.edit((before) => chooseMaterial(before, owner, chosen));
  };
  return (
    <div>
      <MaterialChoice
        label={T.material}
        icru={icru}
        name={material === undefined ? T.missing : textAt(material, '/name')}
        onChoose={choose}
        error={words(problems)}
        pointer={`${owner}/materialUuid`}
      />
      <Group gap="xs" mt={4} justify="space-between">
        <Text size="xs" c="dimmed">
          {known === undefined || known.density === 0 ? '' : T.about(known.density, known.composition)}
        </Text>
        <Button variant="subtle" size="compact-xs" onClick={() => setIsOpen(true)}>
          {T.table}
        </Button>
      </Group>
      {hasOverride && known !== undefined && known.density > 0 && (
        <details>
          <summary>{T.override}</summary>
          <NumberField
            pointer={`${owner}/materialPropertiesOverrides/density`}
            label={T.otherDensity}
            unit="g/cm³"
            step={0.1}
            isOptional
          />
        </details>
      )}
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} title={T.tableTitle} size="xl">
        <MaterialTable
          onChoose={(chosen) => {
            choose(chosen);
            setIsOpen(false);
          }}
        />
      </Modal>
    </div>
  );
}

/** All materials with density and composition. */
function MaterialTable({ onChoose }: { readonly onChoose: (material: TableMaterial) => void }) {
  const { materials } = useEditor();
  const [search, setSearch] = useState('');
  const found = materials.filter((one) => matches(one, search));
  return (
    <>
      <TextInput
        label={T.search}
        data-autofocus
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        mb="sm"
      />
      <Table.ScrollContainer minWidth={560}>
        <Table fz="sm" verticalSpacing={4} highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{T.material}</Table.Th>
              <Table.Th>{T.densityHeading}</Table.Th>
              <Table.Th>{T.composition}</Table.Th>
              <Table.Th>{T.icru}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {found.slice(0, ROWS_MAX).map((one) => (
              <Table.Tr key={one.icru}>
                <Table.Td>
                  <Button variant="subtle" size="compact-sm" onClick={() => onChoose(one)}>
                    {one.label}
                  </Button>
                </Table.Td>
                <Table.Td>{one.density === 0 ? '' : one.density}</Table.Td>
                <Table.Td>
                  <Text size="xs">{one.composition}</Text>
                </Table.Td>
                <Table.Td>{one.icru}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {found.length === 0 && <Input.Error>{T.none}</Input.Error>}
    </>
  );
}
