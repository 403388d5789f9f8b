// A curve drawn with block characters, for terminals of any kind.
const BLOCKS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/**
 * Bars of `values` over their positions `x` (ascending), `columns` wide and `rows` high, with both axes labelled.
 * Each column shows the largest value that falls into it.
 */
export function plot({ x, values, columns = 76, rows = 14, xLabel, yLabel }) {
  const first = x[0];
  const width = x[x.length - 1] - first;
  const heights = Array.from({ length: columns }, () => 0);
  values.forEach((value, i) => {
    const column = Math.min(columns - 1, Math.floor(((x[i] - first) / width) * columns));
    heights[column] = Math.max(heights[column], value);
  });
  for (let c = 1; c < columns; c++)
    if (heights[c] === 0 && (c * (values.length / columns)) % 1 !== 0) heights[c] = heights[c - 1];
  const top = Math.max(...heights);
  const lines = [`  ${yLabel}`];
  for (let row = rows - 1; row >= 0; row--) {
    const label = row === rows - 1 ? top.toPrecision(3) : row === 0 ? '0' : '';
    const cells = heights.map((height) => {
      const eighths = Math.round((height / top) * rows * 8) - row * 8;
      return BLOCKS[Math.max(0, Math.min(8, eighths))];
    });
    lines.push(`${label.padStart(8)} ┤${cells.join('')}`);
  }
  lines.push(`${' '.repeat(9)}└${'─'.repeat(columns)}`);
  const ticks = 4;
  let scale = ' '.repeat(10);
  for (let t = 0; t <= ticks; t++) {
    const text = (first + (width * t) / ticks).toFixed(1);
    const at = 10 + Math.round(((columns - 1) * t) / ticks) - (t === 0 ? 0 : Math.floor(text.length / 2));
    scale = scale.padEnd(at) + text;
  }
  lines.push(`${scale}  ${xLabel}`);
  return lines.join('\n');
}

/** One line of progress: a bar, the share, and what there is to say. */
export function progressBar(share, text, width = 32) {
  const full = Math.round(share * width);
  return `  [${'█'.repeat(full)}${'░'.repeat(width - full)}] ${String(Math.round(share * 100)).padStart(3)} %  ${text}`;
}
