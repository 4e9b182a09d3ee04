/** Whether Chromium's sandbox is on: the start script of an AppImage turns it off where the system blocks it. */
import type { App } from 'electron';
import type { Notice } from '../../shared/contract/system.ts';

/** Null where it is on. Root never has one, and knows. */
export function sandboxNotice(
  { commandLine }: Pick<App, 'commandLine'>,
  isRoot: boolean,
): Notice | null {
  if (isRoot || !commandLine.hasSwitch('no-sandbox')) return null;
  return {
    id: 'sandbox-off',
    level: 'warning',
    message: 'Gatehouse is running without Chromium’s sandbox, which this system blocks.',
    nextStep:
      'Install the deb package instead of the AppImage, or allow unprivileged user namespaces and start Gatehouse again.',
  };
}
