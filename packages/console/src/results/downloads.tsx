import { Button, Card, CopyButton, Group, Text } from '@mantine/core';
import type { PageRef } from '../api/queries.js';
import { TEXTS } from '../texts.js';
import classes from './plot/plots.module.css';
import { pythonLines } from './python.js';
import { saveFile } from './save.js';

const T = TEXTS.results;

const FORMATS = [
  ['csv', 'CSV'],
  ['hdf5', 'HDF5'],
  ['npz', 'NPZ'],
  ['json', 'JSON'],
] as const;
/** DICOM takes pages of three axes, in a unit of dose. */
const DICOM = ['dicom', 'RT Dose'] as const;

interface DownloadsProps {
  readonly own: PageRef;
  /** Of the page. */
  readonly name: string;
  /** Bins of every axis. */
  readonly sizes: readonly number[];
}

/** The numbers to take away, and the lines of Python that load them. */
export function Downloads({ own: { jobId, estimator, page }, name, sizes }: DownloadsProps) {
  const python = pythonLines(location.origin, jobId, estimator, page);
  const download = (format: string) => {
    const query = new URLSearchParams({ job_id: jobId, estimator_name: estimator, page_number: String(page), format });
    if (format === 'csv') query.set('description', 'true');
    return saveFile(`${estimator}-${name}.${format === 'dicom' ? 'dcm' : format}`, `/results?${query.toString()}`);
  };
  return (
    <Card withBorder>
      <Group mb="xs">
        <Text fw={600}>{T.download}</Text>
        {[...FORMATS, ...(sizes.length === 3 && /dose/i.test(name) ? [DICOM] : [])].map(([format, word]) => (
          <Button key={format} size="compact-sm" variant="light" onClick={() => void download(format)}>
            {word}
          </Button>
        ))}
      </Group>
      <Group justify="space-between" mt="md" mb={4}>
        <Text fw={600} size="sm">
          {T.python}
        </Text>
        <CopyButton value={python}>
          {({ copied, copy }) => (
            <Button size="compact-xs" variant="subtle" onClick={copy}>
              {copied ? TEXTS.problem.copied : T.copy}
            </Button>
          )}
        </CopyButton>
      </Group>
      <pre className={classes.code} tabIndex={0} aria-label={T.python}>
        {python}
      </pre>
    </Card>
  );
}
