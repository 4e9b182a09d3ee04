import { create } from 'zustand';
import { persist } from 'zustand/middleware';

const keptAtMost = 12;

/** The ids of what was chosen in the palette, latest first. */
export const useRecentCommands = create<{ ids: readonly string[] }>()(
  persist((): { ids: readonly string[] } => ({ ids: [] }), { name: 'gatehouse:recent-commands' }),
);

export function rememberCommand(id: string): void {
  useRecentCommands.setState(({ ids }) => ({
    ids: [id, ...ids.filter((other) => other !== id)].slice(0, keptAtMost),
  }));
}
