import { describe, expect, it } from 'vitest';
import { groupedCommands, matchingCommands } from '../../renderer/app/palette/rank-commands.ts';
import type { Command } from '../../renderer/lib/commands.ts';

const command = (id: string, title: string, group: string, keywords?: string): Command => ({
  id,
  title,
  group,
  run: () => undefined,
  ...(keywords !== undefined && { keywords }),
});
const commands = [
  command('go.chat', 'Chat', 'Go to'),
  command('go.completion', 'Completion', 'Go to'),
  command('theme.dark', 'Use dark theme', 'Appearance', 'color mode'),
  command('model.dark-1', 'Use dark-1', 'Models'),
];
const titles = (sought: string, recent: string[] = []) =>
  matchingCommands(commands, sought, recent).flatMap((group) =>
    group.commands.map(({ title }) => title),
  );

describe('what is found', () => {
  it('has every word in its title, group or keywords, in any order', () => {
    expect(titles('theme DARK')).toEqual(['Use dark theme']);
    expect(titles('color')).toEqual(['Use dark theme']);
    expect(titles('go comp')).toEqual(['Completion']);
  });

  it('is nothing when one word is nowhere', () => {
    expect(titles('chat nowhere')).toEqual([]);
  });

  it('begins with the best match, and among equals with what was used last', () => {
    expect(titles('c')).toEqual(['Chat', 'Completion', 'Use dark theme']);
    expect(titles('dark')).toEqual(['Use dark theme', 'Use dark-1']);
    expect(titles('dark', ['model.dark-1'])).toEqual(['Use dark-1', 'Use dark theme']);
    expect(titles('use dark', ['model.dark-1'])).toEqual(['Use dark-1', 'Use dark theme']);
  });

  it('begins with the title that was typed whole, whatever was used last', () => {
    const demo = [
      ...commands,
      command('model.demo-echo', 'Use demo-echo', 'Models'),
      command('connection.demo', 'Use Demo', 'Connections'),
    ];
    const [first] = matchingCommands(demo, 'use demo', ['model.demo-echo']);
    expect(first?.commands.map(({ title }) => title)).toEqual(['Use Demo']);
  });
});

describe('what is offered before anything is typed', () => {
  const groups = (recent: string[], panel: string) =>
    groupedCommands(commands, recent, panel).map(({ name, commands: listed }) => [
      name,
      listed.map(({ id }) => id),
    ]);

  it('is every command with its group together, but not the way to the shown panel', () => {
    expect(groups([], 'chat')).toEqual([
      ['Go to', ['go.completion']],
      ['Appearance', ['theme.dark']],
      ['Models', ['model.dark-1']],
    ]);
  });

  it('begins with what was used last and is still there', () => {
    expect(groups(['model.gone', 'model.dark-1', 'go.chat'], 'image')).toEqual([
      ['Recent', ['model.dark-1', 'go.chat']],
      ['Go to', ['go.completion']],
      ['Appearance', ['theme.dark']],
    ]);
  });
});
