import { Text, useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { TEXTS } from '../texts.js';
import type { Project } from './project.js';
import { showScene } from './scene.js';
import classes from './submit.module.css';

/** Figures, detectors and the beam of a project in three dimensions. */
export function Preview({ project }: { readonly project: Project }) {
  const box = useRef<HTMLDivElement>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const isDark = useComputedColorScheme() === 'dark';
  useEffect(() => {
    if (box.current === null) return;
    try {
      return showScene(box.current, project, isDark);
    } catch {
      setHasFailed(true); // no WebGL here: everything else works
    }
  }, [project, isDark]);
  return (
    <div>
      <div ref={box} className={classes.scene} role="img" aria-label={TEXTS.submit.preview}>
        {hasFailed && (
          <Text c="dimmed" p="md" size="sm">
            {TEXTS.submit.noPreview}
          </Text>
        )}
      </div>
      {!hasFailed && (
        <Text size="xs" c="dimmed" px="sm" py={6}>
          {TEXTS.submit.previewHint}
        </Text>
      )}
    </div>
  );
}
