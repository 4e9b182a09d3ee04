import { readFileSync, writeFileSync } from 'node:fs';
import type { Browser } from '@playwright/test';

/**
 * Returns a function that adds up each process's growth at its own peak, in bytes. It returns null
 * except on Linux.
 */
export function watchMemory(pids: readonly number[]): () => number | null {
  if (process.platform !== 'linux') return () => null;
  const before = pids.map((pid) => {
    // Reset the peak before the measurement.
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    return { pid, bytes: statusBytes(pid, 'VmRSS') };
  });
  return () => before.reduce((sum, { pid, bytes }) => sum + statusBytes(pid, 'VmHWM') - bytes, 0);
}

function statusBytes(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const [, kilobytes] =
    new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ??
    [];
  return Number(kilobytes) * 1024;
}

/** Returns the IDs of the browser's processes. */
export async function browserPids(browser: Browser): Promise<number[]> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.map(({ id }) => id);
}
