import { Button, Group, Modal, NumberInput, SegmentedControl, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useMemo, useState } from 'react';
import { ProblemNotice } from '../../shell/problem-notice.js';
import { FIGURE_TEXTS as T } from '../../texts/figures.js';
import type { Format } from '../plot/chart.js';
import classes from '../plot/plots.module.css';
import { saveBlob, saveText } from '../save.js';
import { drawingAsPdf, drawingAsPng, drawingAsSvg, loadFigureFont, paperFormat } from './export.js';

/** What somebody chooses of a figure for a paper. */
export interface Paper {
  readonly title: string;
  readonly format: Format;
}

interface FigureProps {
  /** Of the files, without their endings. */
  readonly name: string;
  /** Proposed. */
  readonly title: string;
  /** Height of the proposal as a share of the width. */
  readonly aspect?: number;
  readonly hasLegend: boolean;
  /** The figure as SVG in points; the same is shown and saved. Undefined: not yet. */
  readonly draw: (paper: Paper) => ReactElement | undefined;
  /** Before `draw` can draw. */
  readonly onOpen?: () => void;
  readonly toCsv: () => string;
  readonly toRootJson: () => string;
  /** Which figure, where there are several on a page. */
  readonly of?: string | undefined;
}

/** Widths of one and of two columns of a journal, mm. */
const COLUMNS = { one: 85, two: 175 };
const ASPECT = 0.68;
type FileFormat = 'PNG' | 'SVG' | 'PDF' | 'CSV' | 'ROOT (JSON)';
const FORMATS: readonly FileFormat[] = ['PDF', 'SVG', 'PNG', 'CSV', 'ROOT (JSON)'];

/** The button of a drawing that opens it as a figure for a paper. */
export function FigureMenu(props: FigureProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { of, onOpen } = props;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        onClick={() => {
          onOpen?.();
          void loadFigureFont();
          setIsOpen(true);
        }}
        {...(of === undefined ? {} : { 'aria-label': T.figureOf(of) })}
      >
        {T.figure}
      </Button>
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} title={T.title} size="xl">
        <FigureDialog {...props} />
      </Modal>
    </>
  );
}

/** A figure as it will be saved, what can be chosen of it, and the files. */
function FigureDialog({ name, title: proposed, aspect = ASPECT, hasLegend, draw, toCsv, toRootJson }: FigureProps) {
  const [title, setTitle] = useState(proposed);
  const [width, setWidth] = useState<number>(COLUMNS.one);
  const [height, setHeight] = useState(Math.round(COLUMNS.one * aspect));
  const [isExplained, setIsExplained] = useState(hasLegend);
  const drawing = useMemo(
    () => draw({ title, format: paperFormat(width, height, isExplained) }),
    [draw, title, width, height, isExplained],
  );
  const save = useMutation({
    mutationFn: async (format: FileFormat) => {
      if (format === 'CSV') return saveText(`${name}.csv`, toCsv(), 'text/csv');
      if (format === 'ROOT (JSON)') return saveText(`${name}.root.json`, toRootJson(), 'application/json');
      if (drawing === undefined) return;
      if (format === 'SVG') return saveText(`${name}.svg`, drawingAsSvg(drawing), 'image/svg+xml');
      const blob = format === 'PDF' ? await drawingAsPdf(drawing, title || name) : await drawingAsPng(drawing);
      return saveBlob(`${name}.${format.toLowerCase()}`, blob);
    },
  });
  const chooseWidth = (next: number) => {
    setHeight(Math.round((height * next) / width));
    setWidth(next);
  };
  return (
    <Stack>
      <div className={classes.preview} data-preview>
        {drawing}
      </div>
      <TextInput label={T.heading} value={title} onChange={(e) => setTitle(e.currentTarget.value)} maxLength={200} />
      <Group align="flex-end">
        <SegmentedControl
          aria-label={T.width}
          data={[
            { value: String(COLUMNS.one), label: T.oneColumn },
            { value: String(COLUMNS.two), label: T.twoColumns },
          ]}
          value={String(width)}
          onChange={(value) => chooseWidth(Number(value))}
        />
        <NumberInput
          label={T.height}
          w={120}
          min={30}
          max={250}
          value={height}
          onChange={(value) => typeof value === 'number' && value >= 30 && value <= 250 && setHeight(value)}
        />
        {hasLegend && (
          <Switch
            label={T.legend}
            checked={isExplained}
            onChange={(e) => setIsExplained(e.currentTarget.checked)}
            mb={8}
          />
        )}
      </Group>
      <Text size="xs" c="dimmed">
        {T.hint}
      </Text>
      <Group>
        {FORMATS.map((format) => (
          <Button
            key={format}
            variant={format === 'PDF' ? 'filled' : 'light'}
            loading={save.isPending && save.variables === format}
            disabled={drawing === undefined}
            onClick={() => save.mutate(format)}
          >
            {format}
          </Button>
        ))}
      </Group>
      <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
      {save.isError && <ProblemNotice error={save.error} />}
    </Stack>
  );
}
