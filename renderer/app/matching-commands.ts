import type { Command } from '../lib/commands.ts';

/** Every word must be found; groups stay together, in the order in which they were registered. */
export function matchingCommands(commands: readonly Command[], sought: string): Command[] {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = commands.filter(({ title, group, keywords = '' }) => {
    const text = `${title} ${group} ${keywords}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const groups = [...new Set(matches.map(({ group }) => group))];
  return groups.flatMap((name) => matches.filter(({ group }) => group === name));
}
