import { describe, expect, it } from '@jest/globals';
import { readXml } from '../../../test/decks/read-xml.js';
import { formatXml, xml } from './xml-text.js';

describe('formatXml', () => {
  it('indents children and closes empty elements', () => {
    const element = xml('a', { x: '1' }, [xml('b', {}, [xml('c', { y: '2', z: '3' })]), xml('d')]);
    expect(formatXml(element)).toEqual(['<a x="1">', '  <b>', '    <c y="2" z="3"/>', '  </b>', '  <d/>', '</a>']);
  });

  it('says in attributes what has a meaning in XML, and leaves out what has none', () => {
    const name = 'a<b> & "c"\u0000\u0007';
    expect(readXml(formatXml(xml('a', { name })).join('\n')).attributes).toEqual({ name: 'a<b> & "c"' });
  });
});
