import { Button, Card, Group, NumberInput, Text } from '@mantine/core';
import { inUnit, isPerPrimary } from '@tally/merge/readings';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type PageRef, pageQuery } from '../api/queries.js';
import { CopyButton } from '../shell/copy-button.js';
import { TEXTS } from '../texts.js';
import classes from './plot/plots.module.css';
import { pythonLines } from './python.js';
import { saveFile } from './save.js';
import { useUnits } from './units.js';

const T = TEXTS.results;

const FORMATS = [
  ['csv', 'CSV'],
  ['hdf5', 'HDF5'],
  ['npz', 'NPZ'],
  ['json', 'JSON'],
] as const;
interface DownloadsProps {
  readonly own: PageRef;
  /** Of the page. */
  readonly name: string;
  /** Bins of every axis. */
  readonly sizes: readonly number[];
}

/** The numbers to take away, and the lines of Python that load them. */
export function Downloads({ own, name, sizes }: DownloadsProps) {
  const { jobId, estimator, page } = own;
  const unit = useUnit(own, sizes);
  const { chosen } = useUnits();
  const wanted = chosen.find((other) => inUnit(unit, other) !== undefined);
  const python = pythonLines(location.origin, own, wanted);
  const download = (format: string, more: Readonly<Record<string, string>> = {}) => {
    const query = {
      job_id: jobId,
      estimator_name: estimator,
      page_number: String(page),
      format,
      ...(wanted === undefined ? {} : { unit: wanted }),
      ...(format === 'csv' ? { description: 'true' } : {}),
      ...more,
    };
    return saveFile(
      `${estimator}-${name}.${format === 'dicom' ? 'dcm' : format}`,
      `/results?${new URLSearchParams(query).toString()}`,
    );
  };
  return (
    <Card withBorder>
      <Group mb="xs">
        <Text fw={600}>{T.download}</Text>
        {FORMATS.map(([format, word]) => (
          <Button key={format} size="compact-sm" variant="light" onClick={() => void download(format)}>
            {word}
          </Button>
        ))}
        {sizes.length === 3 && inUnit(unit, 'Gy') !== undefined && (
          <DoseDownload unit={unit} onDownload={(more) => void download('dicom', more)} />
        )}
      </Group>
      <Group justify="space-between" mt="md" mb={4}>
        <Text fw={600} size="sm">
          {T.python}
        </Text>
        <CopyButton text={python} size="compact-xs" variant="subtle" />
      </Group>
      <pre className={classes.code} tabIndex={0} aria-label={T.python}>
        {python}
      </pre>
    </Card>
  );
}

/** The unit of a page, by one of its bins; empty until it is known. */
function useUnit(own: PageRef, sizes: readonly number[]): string {
  const axes = [...sizes.keys()];
  const { data } = useQuery({
    ...pageQuery(own, { axes, bins: axes.map(() => 0) }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data?.data.unit ?? '';
}

interface DoseDownloadProps {
  /** Of the dose. */
  readonly unit: string;
  readonly onDownload: (query: Readonly<Record<string, string>>) => void;
}

/** A dose as DICOM RT Dose; one that is per primary by choice of a number of primaries. */
function DoseDownload({ unit, onDownload }: DoseDownloadProps) {
  const [particles, setParticles] = useState<number | string>('');
  const scale = Number(particles);
  return (
    <Group gap={4}>
      <Button
        size="compact-sm"
        variant="light"
        onClick={() => onDownload(isPerPrimary(unit) && scale > 0 ? { scale: String(scale) } : {})}
      >
        RT Dose
      </Button>
      {isPerPrimary(unit) && (
        <NumberInput
          size="xs"
          w={150}
          aria-label={T.ofPrimaries}
          placeholder={T.perPrimary}
          min={1}
          max={1e20}
          thousandSeparator=" "
          hideControls
          value={particles}
          onChange={setParticles}
        />
      )}
    </Group>
  );
}
