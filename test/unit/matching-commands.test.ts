import { expect, it } from 'vitest';
import { type Command, matchingCommands } from '../../renderer/lib/commands.ts';

const command = (title: string, group: string, keywords?: string): Command => ({
  id: title,
  title,
  group,
  run: () => undefined,
  ...(keywords !== undefined && { keywords }),
});
const commands = [
  command('Chat', 'Go to'),
  command('Use the dark theme', 'Appearance', 'color mode'),
  command('Completion', 'Go to'),
];
const titles = (sought: string) => matchingCommands(commands, sought).map(({ title }) => title);

it('lists every command with its group together', () => {
  expect(titles('')).toEqual(['Chat', 'Completion', 'Use the dark theme']);
});

it('finds a command by words of its title, group or keywords, in any order', () => {
  expect(titles('theme DARK')).toEqual(['Use the dark theme']);
  expect(titles('color')).toEqual(['Use the dark theme']);
  expect(titles('go comp')).toEqual(['Completion']);
});

it('finds nothing when one word is nowhere', () => {
  expect(titles('chat nowhere')).toEqual([]);
});
