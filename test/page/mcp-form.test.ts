import { expect, it } from 'vitest';
import {
  getMcpFields,
  moveArguments,
  splitCommandLine,
} from '../../renderer/features/settings/mcp-form.ts';

it.each([
  ['npx -y @scope/files "/my files"', 'npx', '-y\n@scope/files\n/my files'],
  ['  uvx tool\n', 'uvx', 'tool'],
])('splits the command line %s', (line, command, args) => {
  expect(splitCommandLine(line)).toEqual({ command, args });
});

it('takes variables before the command', () => {
  expect(splitCommandLine('TOKEN=abc npx server')).toMatchObject({
    command: 'npx',
    args: 'server',
    env: [{ name: 'TOKEN', value: 'abc', isSaved: false }],
  });
});

it.each([
  'npx',
  '',
  'TOKEN=abc OTHER=x',
  'C:\\Program Files\\nodejs\\npx.cmd -y server',
  'cat a | npx server',
  'npx "unclosed',
])('leaves %s as it is', (line) => {
  expect(splitCommandLine(line)).toBeNull();
});

it('moves arguments that were typed behind the command', () => {
  const move = (command: string, args = '') =>
    moveArguments({ ...getMcpFields(null), command, args });
  expect(move('npx -y @foo/bar')).toMatchObject({ command: 'npx', args: '-y\n@foo/bar' });
  for (const path of ['/Applications/My App/server', './my server']) {
    expect(move(path)).toMatchObject({ command: path, args: '' });
  }
  expect(move('npx -y', 'server')).toMatchObject({ command: 'npx -y', args: 'server' });
});
