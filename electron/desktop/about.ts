/** What this Gatehouse is made of: the versions that a problem report needs. */
import { clipboard } from 'electron';
import type { MainWindow } from './main-window.ts';

export interface AboutOptions {
  ask: MainWindow['ask'];
  version: string;
  platform: NodeJS.Platform;
  versions: Pick<NodeJS.ProcessVersions, 'electron' | 'chrome' | 'node'>;
}

/** Electron's own About panel shows different fields on each system, and nothing that can be copied. */
export async function showAbout(options: AboutOptions): Promise<void> {
  const { ask, version, platform, versions } = options;
  const message = `Gatehouse ${version}`;
  const detail = [
    `Electron ${versions.electron ?? 'unknown'}`,
    `Chromium ${versions.chrome ?? 'unknown'}`,
    `Node.js ${versions.node}`,
    `${platform} ${process.arch}`,
  ].join('\n');
  const response = await ask({
    type: 'info',
    title: 'About Gatehouse',
    message,
    detail,
    buttons: ['OK', 'Copy'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  if (response === 1) await clipboard.writeText(`${message}\n${detail}`);
}
