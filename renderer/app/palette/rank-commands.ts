import type { Command } from '../../lib/commands.ts';

const shownAtMost = 80;

export interface CommandGroup {
  name: string;
  commands: readonly Command[];
}

/** Lists recent commands, then all groups; omits the command for the current panel. */
export function groupCommands(
  commands: readonly Command[],
  recentIds: readonly string[],
  currentPanel: string,
): CommandGroup[] {
  const offered = commands.filter(({ id }) => id !== `go.${currentPanel}`);
  const recent = recentIds
    .flatMap((id) => offered.find((command) => command.id === id) ?? [])
    .slice(0, 5);
  const rest = offered.filter((command) => !recent.includes(command));
  return [...(recent.length > 0 ? [{ name: 'Recent', commands: recent }] : []), ...toGroups(rest)];
}

/** Groups the commands that match every word by best match; recent use breaks ties. */
export function filterCommands(
  commands: readonly Command[],
  query: string,
  recentIds: readonly string[],
): CommandGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = commands
    .flatMap((command) => {
      const rank = getRank(command, words);
      return rank === null ? [] : [{ command, rank: rank + recency(command, recentIds) }];
    })
    .sort((one, other) => one.rank - other.rank)
    .slice(0, shownAtMost);
  return toGroups(ranked.map(({ command }) => command));
}

function recency({ id }: Command, recentIds: readonly string[]): number {
  const at = recentIds.indexOf(id);
  return at === -1 ? 0.5 : at / 100;
}

/** Returns a rank (lower is better); null if the command doesn't match. */
function getRank(
  { title, group, keywords = '' }: Command,
  words: readonly string[],
): number | null {
  const own = title.toLowerCase();
  const all = `${own} ${group} ${keywords}`.toLowerCase();
  if (!words.every((word) => all.includes(word))) return null;
  const typed = words.join(' ');
  if (own === typed) return -1;
  if (own.startsWith(typed)) return 0;
  if (words.every((word) => ` ${own}`.includes(` ${word}`))) return 1;
  return words.every((word) => own.includes(word)) ? 2 : 3;
}

function toGroups(commands: readonly Command[]): CommandGroup[] {
  const names = [...new Set(commands.map(({ group }) => group))];
  return names.map((name) => ({
    name,
    commands: commands.filter(({ group }) => group === name),
  }));
}
