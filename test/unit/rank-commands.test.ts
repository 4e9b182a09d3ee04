import { describe, expect, it } from 'vitest';
import { filterCommands, groupCommands } from '../../renderer/app/palette/rank-commands.ts';
import type { Command } from '../../renderer/lib/commands.ts';

const command = (id: string, title: string, group: string, keywords = ''): Command => ({
  id,
  title,
  group,
  keywords,
  run: () => undefined,
});
const commands = [
  command('go.chat', 'Chat', 'Go to'),
  command('go.completion', 'Completion', 'Go to'),
  command('theme.dark', 'Use dark theme', 'Appearance', 'color mode'),
  command('model.dark-1', 'Use dark-1', 'Models'),
];
const titles = (sought: string, recent: string[] = []) =>
  filterCommands(commands, sought, recent).flatMap((group) =>
    group.commands.map(({ title }) => title),
  );

describe('searching for commands', () => {
  it.each<[string, string[], string[]]>([
    ['theme DARK', [], ['Use dark theme']],
    ['color', [], ['Use dark theme']],
    ['go comp', [], ['Completion']],
    ['chat nowhere', [], []],
    ['c', [], ['Chat', 'Completion', 'Use dark theme']],
    ['dark', [], ['Use dark theme', 'Use dark-1']],
    ['dark', ['model.dark-1'], ['Use dark-1', 'Use dark theme']],
    ['use dark', ['model.dark-1'], ['Use dark-1', 'Use dark theme']],
  ])(
    'finds commands with every word of “%s”, best matches first, then recently used ones of %j',
    (sought, recent, found) => {
      expect(titles(sought, recent)).toEqual(found);
    },
  );

  it('lists an exact title first, even if another command was used more recently', () => {
    const echo = command('model.demo-echo', 'Use demo-echo', 'Models');
    const demo = [...commands, echo, command('connection.demo', 'Use Demo', 'Connections')];
    const [first] = filterCommands(demo, 'use demo', ['model.demo-echo']);
    expect(first?.commands.map(({ title }) => title)).toEqual(['Use Demo']);
  });
});

describe('commands listed before typing', () => {
  const groups = (recent: string[], panel: string) =>
    groupCommands(commands, recent, panel).map(({ name, commands: listed }) => [
      name,
      listed.map(({ id }) => id),
    ]);

  it('lists all commands in groups, except the one that opens the shown panel', () => {
    expect(groups([], 'chat')).toEqual([
      ['Go to', ['go.completion']],
      ['Appearance', ['theme.dark']],
      ['Models', ['model.dark-1']],
    ]);
  });

  it('lists recently used commands first, if they still exist', () => {
    expect(groups(['model.gone', 'model.dark-1', 'go.chat'], 'image')).toEqual([
      ['Recent', ['model.dark-1', 'go.chat']],
      ['Go to', ['go.completion']],
      ['Appearance', ['theme.dark']],
    ]);
  });
});
