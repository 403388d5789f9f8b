import { spendSteps } from '../../deck/steps.js';

/** Steps of an element until it is text. */
const ELEMENT_STEPS = 4;

/** One XML element; attributes in the order given. */
export interface XmlElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
}

export function xml(
  tag: string,
  attributes: Readonly<Record<string, string>> = {},
  children: readonly XmlElement[] = [],
): XmlElement {
  spendSteps(ELEMENT_STEPS);
  return { tag, attributes, children };
}

/** Lines of an element, indented by two blanks a level. */
export function formatXml({ tag, attributes, children }: XmlElement, indent = ''): string[] {
  const texts = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeXml(value)}"`);
  const head = `${indent}<${tag}${texts.join('')}`;
  if (children.length === 0) return [`${head}/>`];
  return [`${head}>`, ...children.flatMap((child) => formatXml(child, `${indent}  `)), `${indent}</${tag}>`];
}

/** What XML 1.0 has no character for is left out. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;');
}
