import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { checkPackage, packagedBinary } from '../scripts/check-package.ts';

function packaged(place: string, script = 'exit 0'): string {
  const output = temporaryFolder();
  const binary = join(output, place);
  mkdirSync(dirname(binary), { recursive: true });
  writeFileSync(binary, `#!/bin/sh\n${script}\n`);
  chmodSync(binary, 0o755);
  return output;
}

const machine = { platform: 'linux', arch: 'x64' } as const;

async function check(output: string, environment: NodeJS.ProcessEnv = { DISPLAY: ':99' }) {
  const lines: string[] = [];
  const log = (line: string) => lines.push(line);
  return { sound: await checkPackage({ output, ...machine, environment, log }), lines };
}

test.each([
  ['linux', 'x64', 'linux-unpacked/gatehouse'],
  ['linux', 'arm64', 'linux-arm64-unpacked/gatehouse'],
  ['win32', 'x64', 'win-unpacked/Gatehouse.exe'],
  ['darwin', 'arm64', 'mac-universal/Gatehouse.app/Contents/MacOS/Gatehouse'],
  ['darwin', 'x64', 'mac/Gatehouse.app/Contents/MacOS/Gatehouse'],
] as const)('finds the binary to check for %s %s at %s', (platform, arch, place) => {
  const output = packaged(place);
  expect(packagedBinary({ output, platform, arch })).toBe(join(output, place));
});

test.skipIf(process.platform === 'win32')('reports a failed self-check with advice', async () => {
  const script = 'echo "FATAL: No usable sandbox!" >&2; exit 1';
  const { sound, lines } = await check(packaged('linux-unpacked/gatehouse', script));
  expect(sound).toBe(false);
  expect(lines.join('\n')).toContain('The package is built, but its self-check failed');
  expect(lines.join('\n')).toContain('chrome-sandbox');
});

test('skips a package for another system, and a machine without a display', async () => {
  const other = await check(packaged('mac/Gatehouse.app/Contents/MacOS/Gatehouse', 'exit 1'));
  expect(other).toEqual({ sound: true, lines: [expect.stringContaining('Nothing was packaged')] });
  const blind = await check(packaged('linux-unpacked/gatehouse', 'exit 1'), {});
  expect(blind).toEqual({ sound: true, lines: [expect.stringContaining('No display')] });
});
