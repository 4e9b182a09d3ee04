/** Whether Chromium's sandbox is on: the start script of an AppImage turns it off where the system blocks it, and root can. */
import type { App } from 'electron';
import type { Notice } from '../../shared/contract/system.ts';

/** Null if it is on. */
export function sandboxNotice(
  { commandLine }: Pick<App, 'commandLine'>,
  isRoot: boolean,
): Notice | null {
  if (!commandLine.hasSwitch('no-sandbox')) return null;
  return {
    id: 'sandbox-off',
    level: 'warning',
    message: isRoot
      ? 'Gatehouse is running as root, without Chromium’s sandbox.'
      : 'Gatehouse is running without Chromium’s sandbox, which this system blocks.',
    nextStep: isRoot
      ? 'Start Gatehouse as another user.'
      : 'Install the deb package instead of the AppImage, or allow unprivileged user namespaces and start Gatehouse again.',
  };
}
