import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ProblemNotice } from '../../shell/problem-notice.js';
import { TEXTS } from '../../texts.js';
import { saveBlob, saveText } from '../save.js';

interface FigureProps {
  /** Of the files, without their endings. */
  readonly name: string;
  readonly toSvg: () => Promise<string>;
  readonly toRootJson: () => Promise<string>;
}

/** Pixels of a picture for each of the drawing. */
const PIXEL_RATIO = 2;

/** A drawing with its size as pixels. */
async function svgAsPng(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [PIXEL_RATIO * image.naturalWidth, PIXEL_RATIO * image.naturalHeight];
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  if (blob === null) throw new Error(TEXTS.results.noPicture);
  return blob;
}

/** The drawing for a paper. */
export function FigureMenu({ name, toSvg, toRootJson }: FigureProps) {
  const save = useMutation({
    mutationFn: async (format: 'png' | 'svg' | 'root.json') => {
      if (format === 'root.json') return saveText(`${name}.${format}`, await toRootJson(), 'application/json');
      const svg = await toSvg();
      return format === 'svg'
        ? saveText(`${name}.svg`, svg, 'image/svg+xml')
        : saveBlob(`${name}.png`, await svgAsPng(svg));
    },
  });
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button size="xs" variant="default" loading={save.isPending}>
            {TEXTS.results.figure}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => save.mutate('png')}>PNG</Menu.Item>
          <Menu.Item onClick={() => save.mutate('svg')}>SVG</Menu.Item>
          <Menu.Item onClick={() => save.mutate('root.json')}>ROOT (JSON)</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {save.isError && <ProblemNotice error={save.error} />}
    </>
  );
}
