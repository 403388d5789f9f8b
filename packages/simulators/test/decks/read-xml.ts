/** An element of an XML file without text between elements. */
export interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Reads well-formed XML of elements and attributes, and throws at anything else. */
export function readXml(text: string): Element {
  const body = text.replace(/^<\?xml [^>]*\?>\s*/, '');
  const stack: Element[] = [{ tag: '', attributes: {}, children: [] }];
  let at = 0;
  for (const found of body.matchAll(/<(\/?)([\w:]+)((?:\s+[\w:]+="[^"<]*")*)\s*(\/?)>\s*/g)) {
    if (found.index !== at) throw new Error(`not XML at ${body.slice(at, at + 40)}`);
    at += found[0].length;
    const [, closes, tag = '', attributes = '', isEmpty] = found;
    if (closes === '/') {
      if (stack.pop()?.tag !== tag) throw new Error(`</${tag}> closes nothing`);
      continue;
    }
    const element: Element = { tag, attributes: parseAttributes(attributes), children: [] };
    stack.at(-1)?.children.push(element);
    if (isEmpty !== '/') stack.push(element);
  }
  const [root, ...others] = stack[0]?.children ?? [];
  if (at !== body.length || stack.length !== 1 || root === undefined || others.length > 0)
    throw new Error('not one element');
  return root;
}

function parseAttributes(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(/([\w:]+)="([^"]*)"/g)) {
    if (Object.hasOwn(attributes, name)) throw new Error(`${name} twice`);
    attributes[name] = value.replaceAll(/&(\w+);/g, (_, entity: string) => ENTITIES[entity] ?? '');
  }
  return attributes;
}

export function childrenOf(element: Element, tag: string): Element[] {
  return element.children.filter((child) => child.tag === tag);
}

/** The one child of that tag. */
export function childOf(element: Element, tag: string): Element {
  const [child, ...others] = childrenOf(element, tag);
  if (child === undefined || others.length > 0) throw new Error(`${element.tag} has not one ${tag}`);
  return child;
}
