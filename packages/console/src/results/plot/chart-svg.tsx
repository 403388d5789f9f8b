import { area, line } from 'd3-shape';
import { type ReactNode, useId } from 'react';
import {
  type Box,
  type Chart,
  type DrawnAxis,
  EM,
  type Format,
  type Layout,
  type Scale,
  type Series,
  widestTick,
} from './chart.js';
import { fitText, raised, toPieces } from './rich-text.js';

interface TextProps {
  readonly x: number;
  readonly y: number;
  readonly children: string;
  readonly fontSize: number;
  readonly anchor?: 'start' | 'middle' | 'end';
  /** Turned to be read from below. */
  readonly isTurned?: boolean;
  readonly isBold?: boolean;
  readonly ink: string;
}

/** A text on its base line, powers raised. */
export function FigureText({ x, y, children, fontSize, anchor = 'middle', isTurned, isBold, ink }: TextProps) {
  const pieces = toPieces(children);
  return (
    <text
      x={x}
      y={y}
      textAnchor={anchor}
      fill={ink}
      fontSize={fontSize}
      fontWeight={isBold === true ? 700 : 400}
      {...(isTurned === true ? { transform: `rotate(-90 ${x} ${y})` } : {})}
    >
      {pieces.length === 1 && pieces[0]?.isRaised === false
        ? children
        : pieces.map(({ text, isRaised }, i) => {
            const step = isRaised ? -0.36 * fontSize : pieces[i - 1]?.isRaised === true ? 0.36 * fontSize : 0;
            return (
              <tspan key={i} dy={step} {...(isRaised ? { fontSize: 0.7 * fontSize } : {})}>
                {text}
              </tspan>
            );
          })}
    </text>
  );
}

interface AxisProps {
  readonly axis: DrawnAxis;
  readonly box: Box;
  readonly format: Format;
}

/** Height of capitals over the base line. */
const CAPITAL = 0.36;

export function AxisBelow({ axis, box, format: { fontSize, ink, lineWidth } }: AxisProps) {
  const bottom = box.top + box.height;
  const below = bottom + (EM.tick + EM.gap + 0.75) * fontSize;
  const end = box.left + box.width;
  return (
    <g data-axis="x">
      <Marks axis={axis} d={(at, size) => `M${at} ${bottom}v${size}`} fontSize={fontSize} ink={ink} width={lineWidth} />
      {axis.ticks.map(({ at, words }) =>
        words === '' ? undefined : (
          <FigureText key={at} x={axis.scale(at)} y={below} fontSize={fontSize} ink={ink}>
            {words}
          </FigureText>
        ),
      )}
      {axis.exponent !== 0 && (
        <FigureText x={end} y={below + EM.line * fontSize} fontSize={fontSize} anchor="end" ink={ink}>
          {`×10${raised(axis.exponent)}`}
        </FigureText>
      )}
      <FigureText x={box.left + box.width / 2} y={below + EM.line * fontSize} fontSize={fontSize} ink={ink}>
        {axis.title}
      </FigureText>
    </g>
  );
}

interface BesideProps extends AxisProps {
  /** Of the box, on which its numbers stand. */
  readonly side: 'left' | 'right';
  /** The title lies over the axis, as far to the right as the figure goes: there is no room for it along the axis. */
  readonly isTitleAbove?: boolean;
}

export function AxisBeside({ axis, box, format, side, isTitleAbove }: BesideProps) {
  const { fontSize, ink, lineWidth } = format;
  const sign = side === 'left' ? -1 : 1;
  const edge = side === 'left' ? box.left : box.left + box.width;
  const titleX =
    edge +
    sign * ((EM.tick + EM.gap) * fontSize + widestTick(axis, format)) +
    (side === 'left' ? -0.6 : 1.1) * fontSize;
  const middle = box.top + box.height / 2;
  const room = 1.96 * Math.min(middle, format.height - middle);
  return (
    <g data-axis={side === 'left' ? 'y' : 'right'}>
      <Marks
        axis={axis}
        d={(at, size) => `M${edge} ${at}h${sign * size}`}
        fontSize={fontSize}
        ink={ink}
        width={lineWidth}
      />
      {axis.ticks.map(({ at, words }) =>
        words === '' ? undefined : (
          <FigureText
            key={at}
            x={edge + sign * (EM.tick + EM.gap) * fontSize}
            y={axis.scale(at) + CAPITAL * fontSize}
            anchor={side === 'left' ? 'end' : 'start'}
            fontSize={fontSize}
            ink={ink}
          >
            {words}
          </FigureText>
        ),
      )}
      {axis.exponent !== 0 && isTitleAbove !== true && (
        <FigureText
          x={edge}
          y={box.top - 0.5 * fontSize}
          anchor={side === 'left' ? 'start' : 'end'}
          fontSize={fontSize}
          ink={ink}
        >
          {`×10${raised(axis.exponent)}`}
        </FigureText>
      )}
      {isTitleAbove === true ? (
        <FigureText
          x={format.width - 0.3 * fontSize}
          y={box.top - 0.6 * fontSize}
          anchor="end"
          fontSize={fontSize}
          ink={ink}
        >
          {`${axis.title}${axis.exponent === 0 ? '' : `, ×10${raised(axis.exponent)}`}`}
        </FigureText>
      ) : (
        <FigureText x={titleX} y={middle} fontSize={fontSize} ink={ink} isTurned>
          {fitText(axis.title, fontSize * format.letterWidth, room)}
        </FigureText>
      )}
    </g>
  );
}

interface MarksProps {
  readonly axis: DrawnAxis;
  readonly d: (at: number, size: number) => string;
  readonly fontSize: number;
  readonly ink: string;
  readonly width: number;
}

function Marks({ axis: { ticks, scale }, d, fontSize, ink, width }: MarksProps) {
  return (
    <path
      d={ticks.map(({ at, words }) => d(scale(at), EM.tick * fontSize * (words === '' ? 0.55 : 1))).join('')}
      stroke={ink}
      strokeWidth={0.5 * width}
      fill="none"
    />
  );
}

const finite = (place: number): boolean => Number.isFinite(place);

interface CurveProps {
  readonly series: Series;
  readonly x: Scale;
  readonly y: Scale;
  readonly lineWidth: number;
  readonly fontSize: number;
}

function Curve({ series, x, y, lineWidth, fontSize }: CurveProps) {
  const { color, errors, form } = series;
  const floor = Math.min(...y.domain());
  const isLogarithmic = floor > 0 && !finite(y(0));
  /** On a logarithmic axis the lower edge of a band ends where the axis does. */
  const place = (value: number) => y(isLogarithmic && value <= 0 ? floor / 10 : value);
  const bins = [...series.x.keys()].filter((i) => !isLogarithmic || (series.y[i] ?? 0) > 0);
  const at = (i: number) => x(series.x[i] ?? 0);
  const value = (i: number) => series.y[i] ?? 0;
  const hasErrors = errors.length > 0 && series.errorsAs === 'band';
  if (form === 'points') {
    const bars = bins.flatMap((i) => {
      const error = errors[i];
      return typeof error === 'number' ? [`M${at(i)} ${place(value(i) - error)}V${place(value(i) + error)}`] : [];
    });
    return (
      <g>
        <path d={bars.join('')} stroke={color} strokeWidth={0.8 * lineWidth} fill="none" />
        {bins.map((i) => (
          <circle key={i} cx={at(i)} cy={place(value(i))} r={0.24 * fontSize} fill={color} />
        ))}
      </g>
    );
  }
  const band = area<number>()
    .defined((i) => typeof errors[i] === 'number' && finite(at(i)) && finite(value(i)))
    .x(at)
    .y0((i) => place(value(i) - (errors[i] ?? 0)))
    .y1((i) => place(value(i) + (errors[i] ?? 0)));
  const path = line<number>()
    .defined((i) => finite(at(i)) && finite(value(i)))
    .x(at)
    .y((i) => place(value(i)));
  return (
    <g>
      {hasErrors && <path data-band d={band(bins) ?? ''} fill={color} fillOpacity={0.28} stroke="none" />}
      <path
        data-curve
        d={path(bins) ?? ''}
        fill="none"
        stroke={color}
        strokeWidth={lineWidth}
        strokeLinejoin="round"
        {...(series.isRight ? { strokeDasharray: `${4 * lineWidth} ${2.4 * lineWidth}` } : {})}
      />
    </g>
  );
}

function Legend({
  chart: { series },
  box,
  format,
}: {
  readonly chart: Chart;
  readonly box: Box;
  readonly format: Format;
}) {
  const { fontSize, lineWidth, ink } = format;
  return (
    <g data-legend>
      {series.map(({ label, color, isRight, form }, i) => {
        const y = box.top + (i + 0.65) * EM.line * fontSize;
        const [from, to] = [box.left, box.left + EM.key * fontSize];
        return (
          <g key={`${label} ${i}`}>
            {form === 'points' ? (
              <circle cx={(from + to) / 2} cy={y} r={0.24 * fontSize} fill={color} />
            ) : (
              <path
                d={`M${from} ${y}H${to}`}
                stroke={color}
                strokeWidth={lineWidth}
                fill="none"
                {...(isRight ? { strokeDasharray: `${4 * lineWidth} ${2.4 * lineWidth}` } : {})}
              />
            )}
            <FigureText x={to + 0.5 * fontSize} y={y + CAPITAL * fontSize} anchor="start" fontSize={fontSize} ink={ink}>
              {fitText(label, fontSize * format.letterWidth, box.width - (EM.key + 0.8) * fontSize)}
            </FigureText>
          </g>
        );
      })}
    </g>
  );
}

interface ChartProps {
  readonly chart: Chart;
  readonly layout: Layout;
  readonly format: Format;
  /** Over the curves. */
  readonly children?: ReactNode;
}

/** A chart as SVG: the same on the screen and in a file. */
export function ChartSvg({ chart, layout, format, children }: ChartProps) {
  const { width, height, fontSize, ink, grid, lineWidth, fontFamily } = format;
  const { box, x, y, right, legend } = layout;
  const clip = useId();
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      fontFamily={fontFamily}
      aria-hidden="true"
    >
      <defs>
        <clipPath id={clip}>
          <rect x={box.left} y={box.top} width={box.width} height={box.height} />
        </clipPath>
      </defs>
      <path
        d={y.ticks
          .filter(({ words }) => words !== '')
          .map(({ at }) => `M${box.left} ${y.scale(at)}h${box.width}`)
          .join('')}
        stroke={grid}
        strokeWidth={0.35 * lineWidth}
        fill="none"
      />
      {chart.title !== '' && (
        <FigureText x={box.left + box.width / 2} y={layout.titleY} fontSize={fontSize} isBold ink={ink}>
          {fitText(chart.title, 1.06 * fontSize * format.letterWidth, format.width * 0.98)}
        </FigureText>
      )}
      <g clipPath={`url(#${clip})`} data-curves>
        <LevelLines chart={chart} layout={layout} format={format} />
        {chart.series.map((series, i) => (
          <Curve
            key={i}
            series={series}
            x={x.scale}
            y={series.isRight && right !== undefined ? right.scale : y.scale}
            lineWidth={lineWidth}
            fontSize={fontSize}
          />
        ))}
      </g>
      <LevelWords chart={chart} layout={layout} format={format} />
      <rect
        x={box.left}
        y={box.top}
        width={box.width}
        height={box.height}
        fill="none"
        stroke={ink}
        strokeWidth={0.5 * lineWidth}
      />
      <AxisBelow axis={x} box={box} format={format} />
      <AxisBeside axis={y} box={box} format={format} side="left" />
      {right !== undefined && <AxisBeside axis={right} box={box} format={format} side="right" />}
      {legend !== undefined && <Legend chart={chart} box={legend} format={format} />}
      {children}
    </svg>
  );
}

type LevelsProps = Pick<ChartProps, 'chart' | 'layout' | 'format'>;

function LevelLines({ chart, layout: { box, y }, format: { ink, lineWidth } }: LevelsProps) {
  return chart.levels.map(({ value, label }) => (
    <path
      key={label}
      d={`M${box.left} ${y.scale(value)}h${box.width}`}
      stroke={ink}
      strokeWidth={0.5 * lineWidth}
      strokeDasharray={`${lineWidth} ${2 * lineWidth}`}
      fill="none"
      data-level={label}
    />
  ));
}

function LevelWords({ chart, layout: { box, y }, format: { fontSize, ink } }: LevelsProps) {
  return chart.levels.map(({ value, label }) => {
    const at = y.scale(value);
    if (at < box.top + fontSize || at > box.top + box.height) return undefined;
    return (
      <FigureText
        key={label}
        x={box.left + 0.4 * fontSize}
        y={at - 0.25 * fontSize}
        anchor="start"
        fontSize={fontSize}
        ink={ink}
      >
        {label}
      </FigureText>
    );
  });
}
