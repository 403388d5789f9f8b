import { describe, expect, it } from '@jest/globals';
import { findForeign } from './find-foreign.js';

const DECK = { 'run.mac': '', 'other.mac': '', 'geometry.gdml': '', 'materials.xml': '' };
const find = (text: string, name = 'run.mac') => findForeign(name, text.split('\n'), DECK);

describe('a deck of simC', () => {
  it.each([
    ['/control/shell id', /^\/control\/shell starts a program/],
    ['  /control/shell', /^\/control\/shell/],
    ['/control/doif 1 == 1 /control/shell id', /^\/control\/shell/],
    ['/control/doif 1 == 1 "/control/shell id"', /^\/control\/shell/],
    ['/control/sh\\\nell id', /^\/control\/shell/],
    ['/control/sh_\nell id', /^\/control\/shell/],
    ['{x} id', /hides its name in an alias/],
    ['/control/{x} id', /hides its name in an alias/],
    ['/control/execute /etc/passwd', /executes \/etc\/passwd, which is not in the deck/],
    ['/control/execute {file}', /executes \{file\}, which is not/],
    ['/control/loop missing.mac i 1 2', /executes missing\.mac/],
    ['/control/foreach ../x.mac i "1 2"', /executes \.\.\/x\.mac/],
    ['/control/macroPath /tmp', /^\/control\/macroPath/],
    ['/control/saveHistory x', /^\/control\/saveHistory/],
    ['/control/getEnv SECRET', /^\/control\/getEnv/],
    ['/vis/open DAWNFILE', /^\/vis\/open draws/],
    ['/score/dumpQuantityToFile mesh dose /tmp/x', /^\/score\/dumpQuantityToFile names \/tmp\/x/],
    ['/analysis/setFileName ../../x', /names \.\.\/\.\.\/x/],
    ['/random/resetEngineFrom "/etc/passwd"', /names \/etc\/passwd/],
    ['<!ENTITY x SYSTEM "/etc/passwd">', /^<!ENTITY reads \/etc\/passwd/],
    ["<!ENTITY x SYSTEM 'file:///etc/passwd'>", /reads file:\/\/\/etc/],
    ['<physvol><file name="/etc/passwd"/></physvol>', /^<file reads \/etc\/passwd/],
    ['<xi:include href="http://example.org/x"/>', /reads http:/],
  ])('is refused for %j', (text, message) => {
    expect(find(`/run/beamOn 10\n${text}`)).toEqual([{ line: 2, message: expect.stringMatching(message) }]);
  });

  it.each([
    '/control/execute other.mac',
    '/control/execute ./other.mac',
    '# /control/shell id',
    '/control/doif 1 == 1 /run/printProgress 10',
    '/gps/pos/centre 0 0 -5 cm',
    '/score/dumpQuantityToFile mesh dose out.txt',
    '/vis/disable',
    '{"driver":"simC","file":"/x/y"}',
    '<!ENTITY x SYSTEM "materials.xml">',
    '/control/alias n 3\n/run/printProgress {n}',
    '<gdml xsi:noNamespaceSchemaLocation="http://service-spi.web.cern.ch/gdml.xsd">',
  ])('is taken with %j', (text) => {
    expect(find(text)).toEqual([]);
  });
});
