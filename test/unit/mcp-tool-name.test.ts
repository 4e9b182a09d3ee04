import { expect, it } from 'vitest';
import { getMcpToolName } from '../../shared/mcp-tool-name.ts';

it('joins plain names', () => {
  expect(getMcpToolName('files', 'read_file')).toBe('files__read_file');
});

it.for([
  ['My files', 'read file'],
  ['日本', '検索'],
  ['s'.repeat(80), 't'.repeat(300)],
  ['a', '<img src=x>'],
  ['a__b', 'c'],
  ['a', '_b'],
  ['files', 'read_0123456789a'],
])('turns %j into a name that models accept', ([server = '', tool = '']) => {
  const name = getMcpToolName(server, tool);
  expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  expect(name).toMatch(/_[0-9a-z]{11}$/);
  expect(getMcpToolName(server, tool)).toBe(name);
});

it('gives different tools different names', () => {
  const pairs = 'a__b c|a b__c|a_ _b|a __b|a_b c|a-b c|a.b c'.split('|').map((it) => it.split(' '));
  pairs.push(['a b', 'c'], ['a', 'x'.repeat(70)], ['a', 'x'.repeat(71)]);
  const names = pairs.map(([server = '', tool = '']) => getMcpToolName(server, tool));
  expect(new Set(names).size).toBe(pairs.length);
});

it('doesn’t let a server choose the hashed name of another tool', () => {
  const victim = getMcpToolName('my files', 'read');
  const [server = '', tool = ''] = victim.split('__');
  expect(getMcpToolName(server, tool)).not.toBe(victim);
});
