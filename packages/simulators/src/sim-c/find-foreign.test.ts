import { describe, expect, it } from '@jest/globals';
import { findForeign } from './find-foreign.js';

const DECK = { 'other.mac': '', 'geometry.gdml': '', 'materials.xml': '' };
const find = (text: string) => findForeign({ 'run.mac': `/run/beamOn 10\n${text}`, ...DECK });
const findXml = (text: string) => findForeign({ 'run.mac': '/run/beamOn 10', ...DECK, 'geometry.gdml': `\n${text}` });

describe('a deck of simC', () => {
  it.each([
    ['/control/shell id', /^\/control\/shell is not supported/],
    ['  /control/shell', /^\/control\/shell/],
    ['/control/doif 1 == 1 /control/shell id', /^\/control\/shell/],
    ['/control/doif 1 == 1 "/control/shell id"', /^\/control\/shell/],
    ['/control//shell id', /^\/control\/shell/],
    ['///control///shell id', /^\/control\/shell/],
    ['/control/shell \\\nid', /^\/control\/shell/],
    ['/control/sh\\\nell id', /^\/control\/sh/],
    ['/control/sh_\nell id', /^\/control\/sh_/],
    ['/control/alias a-b /control/shell\n{a-b} id', /^\/control\/shell/, 3],
    ['/control/alias x shell\n/control/{x} id', /^\/control\/shell/, 3],
    ['/control/alias x "1 == 1 /control/shell id"\n/control/doif {x}', /^\/control\/shell/, 3],
    ['/control/alias x "/control/shell id"\n/control/doif 1 == 1 {x}', /^\/control\/shell/, 3],
    ['/control/alias x id\n/control/alias y x\n/control/shell {{y}}', /^\/control\/shell/, 4],
    ['/control/strdoif a == a "/control/doif 2 > 1 /control/shell id"', /^\/control\/shell/],
    ['/control/execute /etc/passwd', /executes \/etc\/passwd, which is not in the deck/],
    ['/control/execute \\\n"/etc/passwd"', /executes \/etc\/passwd/],
    ['/control/alias file /etc/x\n/control/execute {file}', /executes \/etc\/x, which is not/, 3],
    ['/control/if 1 == 1 missing.mac', /executes missing\.mac/],
    ['/control/loop missing.mac i 1 2', /executes missing\.mac/],
    ['/control/foreach ../x.mac i "1 2"', /executes \.\.\/x\.mac/],
    ['/control/macroPath /tmp', /^\/control\/macroPath/],
    ['/control/saveHistory x', /^\/control\/saveHistory/],
    ['/control/getEnv SECRET', /^\/control\/getEnv/],
    ['/vis/open DAWNFILE', /^\/vis\/open draws/],
    ['/score/dumpQuantityToFile mesh dose /tmp/x', /^\/score\/dumpQuantityToFile names \/tmp\/x/],
    ['/analysis/setFileName ../../x', /names \.\.\/\.\.\/x/],
    ['/random/resetEngineFrom "/etc/passwd"', /names \/etc\/passwd/],
  ])('is refused for %j', (text, message, line = 2) => {
    expect(find(text)).toEqual([{ file: 'run.mac', line, message: expect.stringMatching(message) }]);
  });

  it.each([
    ['<!ENTITY x SYSTEM "/etc/passwd">', /^<!ENTITY reads \/etc\/passwd/],
    ["<!ENTITY x SYSTEM 'file:///etc/passwd'>", /reads file:\/\/\/etc/],
    ['<!ENTITY % x PUBLIC "-//a>b//" "/etc/passwd">', /reads \/etc\/passwd/],
    ['<!DOCTYPE gdml [<!ENTITY x "<file name=\'/etc/passwd\'/>">]>', /^<file reads \/etc\/passwd/],
    ['<!DOCTYPE gdml SYSTEM "http://example.org/gdml.dtd" []>', /^<!DOCTYPE reads http/],
    ['<physvol><file name="/etc/passwd"/></physvol>', /^<file reads \/etc\/passwd/],
    ['<file note="a > b" name="/etc/passwd"/>', /^<file reads \/etc\/passwd/],
    ["<file note='<!--' name='&#47;etc/passwd'/><!-- -->", /^<file reads &#47;etc/],
    ['<xi:include href="http://example.org/x"/>', /reads http:/],
  ])('is refused for a geometry with %j', (text, message) => {
    expect(findXml(text)).toEqual([{ file: 'geometry.gdml', line: 2, message: expect.stringMatching(message) }]);
  });

  it.each([
    '<!ENTITY x SYSTEM "materials.xml">',
    '<!-- <file name="/etc/passwd"/> -->',
    '<![CDATA[ <file name="/etc/passwd"/> ]]>',
    '<file name="materials.xml"/>',
    '<gdml xsi:noNamespaceSchemaLocation="http://service-spi.web.cern.ch/gdml.xsd">',
  ])('is taken for a geometry with %j', (text) => {
    expect(findXml(text)).toEqual([]);
  });

  it('is looked at in a time that its length gives', () => {
    for (const part of ['<!ENTITY PUBLIC "', "<a '", '<file name="x', '<!--', '<?', '<![CDATA[', '<a "\'']) {
      // processor time: other programs may keep this one waiting
      const before = process.cpuUsage();
      findXml(part.repeat(100_000));
      expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
    }
  });

  it.each([
    '/control/execute other.mac',
    '/control/execute ./other.mac',
    '# /control/shell id',
    '/gps/verbose 0 # /control/shell id',
    '/control/doif 1 == 2 /control/shell id',
    'exit\n/control/shell id',
    '/control/doif 1 == 1 /run/printProgress 10',
    '/gps/pos/centre 0 0 -5 cm',
    '/score/dumpQuantityToFile mesh dose out.txt',
    '/vis/disable',
    '/control/alias n 3\n/run/printProgress {n}',
  ])('is taken with %j', (text) => {
    expect(find(text)).toEqual([]);
  });
});
