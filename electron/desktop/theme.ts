/** The window's own parts (title bar, menus, dialogs) follow the theme that the user set. */
import type { NativeTheme } from 'electron';
import type { Services } from '../services.ts';

/** Ends when `signal` aborts. */
export async function followTheme(
  theme: Pick<NativeTheme, 'themeSource'>,
  { changes, settings }: Pick<Services, 'changes' | 'settings'>,
  signal: AbortSignal,
): Promise<void> {
  theme.themeSource = settings.get().theme;
  for await (const { topic } of changes.subscribe(signal)) {
    if (topic === 'settings') theme.themeSource = settings.get().theme;
  }
}
