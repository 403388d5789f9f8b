import { Card, Group, NumberInput, Slider, Stack, Text, Title } from '@mantine/core';
import {
  applyTemplate,
  rangeOf,
  type TemplateParameter,
  type TemplateSource,
  templateValues,
} from '@tally/client/templates';
import { useEffect, useState } from 'react';
import { TEXTS } from '../texts.js';

const T = TEXTS.templates;

/** A template as the service gives it. */
interface ShownTemplate {
  readonly title: string;
  readonly teaches: string;
  readonly parameters: readonly TemplateParameter[];
  readonly expected: { readonly words: string };
}

interface PanelProps<P extends TemplateSource['project']> {
  readonly template: ShownTemplate;
  /** As it is now: values are read off it, so that whatever else changes it is followed. */
  readonly project: P;
  /** Is called with a project in which everything has moved that depends on a value. */
  readonly onProject: (project: P) => void;
}

const clamp = ({ min, max }: TemplateParameter, value: number): number => Math.min(max, Math.max(min, value));

/** The figures of a template that its user may change, each by a slider or as a number. */
export function TemplateParameters<P extends TemplateSource['project']>({
  template,
  project,
  onProject,
}: PanelProps<P>) {
  const { title, teaches, parameters, expected } = template;
  const values = templateValues(parameters, project);
  const change = (name: string, value: number) => {
    const wanted = Object.fromEntries(
      parameters.map((one) => [one.name, clamp(one, one.name === name ? value : (values[one.name] ?? one.default))]),
    );
    onProject(applyTemplate({ parameters, project }, wanted) as P);
  };
  return (
    <Card withBorder component="section" aria-label={title}>
      <Stack gap="sm">
        <div>
          <Title order={2} size="h4">
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {teaches}
          </Text>
        </div>
        {parameters.map((parameter) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            value={values[parameter.name] ?? parameter.default}
            onValue={(value) => change(parameter.name, value)}
          />
        ))}
        <Text size="sm">
          <Text span fw={600}>
            {T.expected}
          </Text>{' '}
          {expected.words}
        </Text>
      </Stack>
    </Card>
  );
}

interface FieldProps {
  readonly parameter: TemplateParameter;
  readonly value: number;
  readonly onValue: (value: number) => void;
}

/** Digits behind the point that a step has. */
const digitsOf = (step: number): number => Math.max(0, -Math.floor(Math.log10(step) + 1e-9));

function ParameterField({ parameter, value, onValue }: FieldProps) {
  const { label, unit, min, max, step } = parameter;
  const [shown, setShown] = useState<number | string>(value); // while a thumb is dragged, or a number typed, the project waits
  useEffect(() => setShown(value), [value]);
  const isInside = typeof shown === 'number' && shown >= min && shown <= max;
  const withUnit = unit === '' ? label : `${label} / ${unit}`;
  return (
    <Group align="flex-end" wrap="nowrap" gap="md">
      <Stack gap={2} flex={1}>
        <Text size="sm" fw={500} aria-hidden>
          {withUnit}
        </Text>
        <Slider
          min={min}
          max={max}
          step={step}
          value={isInside ? shown : value}
          onChange={setShown}
          onChangeEnd={onValue}
          label={null}
          thumbLabel={withUnit}
          mb={6}
        />
        <Text size="xs" c="dimmed">
          {rangeOf(parameter)}
        </Text>
      </Stack>
      <NumberInput
        aria-label={withUnit}
        w={110}
        mb={18}
        min={min}
        max={max}
        step={step}
        decimalScale={digitsOf(step) + 2}
        value={shown}
        error={!isInside}
        onChange={(next) => {
          setShown(next);
          if (typeof next === 'number' && next >= min && next <= max) onValue(next);
        }}
      />
    </Group>
  );
}
