import { type ReactNode, useId, useMemo } from 'react';
import type { Format } from './chart.js';
import { AxisBelow, AxisBeside, FigureText } from './chart-svg.js';
import { colorsOf } from './plane-image.js';
import { contourPath, type PlaneChart, type PlaneLayout } from './plane-layout.js';
import { fitText } from './rich-text.js';

interface PlaneProps {
  readonly chart: PlaneChart;
  readonly layout: PlaneLayout;
  readonly format: Format;
  /** Of the bins, a pixel each, as a data address; undefined: they are drawn beneath. */
  readonly image?: string;
  /** Over the picture. */
  readonly children?: ReactNode;
}

/** A plane as SVG around its bins: the same on the screen and in a file. */
export function PlaneSvg({ chart, layout, format, image, children }: PlaneProps) {
  const { width, fontSize, fontFamily, ink, lineWidth } = format;
  const { box, bar, colors } = layout;
  const clip = useId();
  const gradient = useId();
  const stops = colorsOf(chart.range);
  const frame = { ...barFrame(box), fill: 'none', stroke: ink, strokeWidth: 0.5 * lineWidth };
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={width}
      height={layout.height}
      viewBox={`0 0 ${width} ${layout.height}`}
      fontFamily={fontFamily}
      aria-hidden="true"
    >
      <defs>
        <clipPath id={clip}>
          <rect {...barFrame(box)} />
        </clipPath>
        <linearGradient id={gradient} x1="0" y1="1" x2="0" y2="0">
          {stops.map((color, i) => (
            <stop key={i} offset={i / (stops.length - 1)} stopColor={color} />
          ))}
        </linearGradient>
      </defs>
      {chart.title !== '' && (
        <FigureText x={width / 2} y={layout.titleY} fontSize={fontSize} isBold ink={ink}>
          {fitText(chart.title, 1.06 * fontSize * format.letterWidth, width * 0.98)}
        </FigureText>
      )}
      <g clipPath={`url(#${clip})`}>
        {image !== undefined && (
          <image
            href={image}
            {...barFrame(layout.image)}
            preserveAspectRatio="none"
            style={{ imageRendering: 'pixelated' }}
          />
        )}
        {image !== undefined && <PlaneLines chart={chart} layout={layout} lineWidth={lineWidth} />}
      </g>
      <rect {...frame} />
      <rect {...barFrame(bar)} fill={`url(#${gradient})`} stroke={ink} strokeWidth={0.35 * lineWidth} />
      {chart.levels.map(({ label, value }) => {
        const at = colors.scale(value);
        const isInside = at >= bar.top && at <= bar.top + bar.height;
        return isInside ? (
          <path key={label} d={`M${bar.left} ${at}h${bar.width}`} stroke="#ffffff" strokeWidth={lineWidth} />
        ) : undefined;
      })}
      <AxisBelow axis={layout.x} box={box} format={format} />
      <AxisBeside axis={layout.y} box={box} format={{ ...format, height: layout.height }} side="left" />
      <AxisBeside
        axis={colors}
        box={bar}
        format={{ ...format, height: layout.height }}
        side="right"
        isTitleAbove={layout.isTitleAbove}
      />
      {children}
    </svg>
  );
}

const barFrame = ({ left, top, width, height }: PlaneLayout['box']) => ({ x: left, y: top, width, height });

interface LinesProps extends Pick<PlaneProps, 'chart' | 'layout'> {
  readonly lineWidth: number;
}

/** Where a plane has the values of levels. */
export function PlaneLines({ chart, layout, lineWidth }: LinesProps) {
  const clip = useId();
  const lines = useMemo(
    () => chart.levels.map((level) => ({ ...level, d: contourPath(chart, level, layout) })),
    [chart, layout],
  );
  return (
    <g clipPath={`url(#${clip})`} fill="none">
      <clipPath id={clip}>
        <rect {...barFrame(layout.box)} />
      </clipPath>
      {lines.map(({ label, d }) => (
        <g key={label} data-level={label}>
          <path d={d} stroke="#000000" strokeWidth={1.5 * lineWidth} strokeOpacity={0.55} />
          <path d={d} stroke="#ffffff" strokeWidth={0.7 * lineWidth} />
        </g>
      ))}
    </g>
  );
}
