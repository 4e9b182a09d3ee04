import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { writeStandInMacElectron } from '../fixtures/stand-in-electron.ts';
import { runCommand } from '../scripts/run-command.ts';

const root = dirname(dirname(import.meta.dirname));

/** Only signing and universal builds need a Mac. */
describe.runIf(process.platform === 'linux')('npm run package for macOS', () => {
  let work: string;
  let contents: string;

  beforeAll(async () => {
    work = mkdtempSync(join(tmpdir(), 'gatehouse-package-mac-'));
    const electron = join(work, 'electron');
    writeStandInMacElectron(electron, manifest.devDependencies.electron);
    const { code, output } = await runCommand(
      process.execPath,
      [
        join(root, 'test', 'scripts', 'package.ts'),
        '--mac',
        'dir',
        '--x64',
        `-c.electronDist=${electron}`,
        `-c.directories.output=${join(work, 'dist')}`,
      ],
      { timeoutSeconds: 400 },
    );
    expect(code, output).toBe(0);
    contents = join(work, 'dist', 'mac', 'Gatehouse.app', 'Contents');
  }, 420_000);

  afterAll(() => rmSync(work, { recursive: true, force: true }));

  test('declares its identity and its microphone and network use in Info.plist', () => {
    const plist = stringsOf(join(contents, 'Info.plist'));
    expect(plist).toMatchObject({
      CFBundleIdentifier: 'dev.gatehouse.app',
      CFBundleName: 'Gatehouse',
      CFBundleExecutable: 'Gatehouse',
      CFBundleShortVersionString: manifest.version,
      LSApplicationCategoryType: 'public.app-category.developer-tools',
      NSMicrophoneUsageDescription: expect.stringContaining('when you press Record'),
      NSLocalNetworkUsageDescription: expect.stringContaining('gateways'),
    });
    expect(existsSync(join(contents, 'Resources', plist.CFBundleIconFile ?? ''))).toBe(true);
  });

  test('sets the fuses inside the framework, and lets Electron check the archive', async () => {
    const wire = await getCurrentFuseWire(dirname(contents));
    expect(wire[FuseV1Options.RunAsNode]).toBe('0'.charCodeAt(0));
    expect(wire[FuseV1Options.EnableEmbeddedAsarIntegrityValidation]).toBe('1'.charCodeAt(0));
    const plist = readFileSync(join(contents, 'Info.plist'), 'utf8');
    expect(plist).toMatch(/<key>ElectronAsarIntegrity<\/key>.*Resources\/app\.asar.*SHA256/s);
  });

  test('requests only the macOS entitlements it needs', () => {
    const plist = join(root, 'electron', 'resources', 'entitlements.mac.plist');
    const entitlements = [...readFileSync(plist, 'utf8').matchAll(/<key>(.+)<\/key>/g)];
    expect(entitlements.map(([, key]) => key?.replace('com.apple.security.', ''))).toEqual([
      'cs.allow-jit',
      'cs.allow-unsigned-executable-memory',
      'cs.disable-library-validation',
      'device.audio-input',
    ]);
  });
});

function stringsOf(path: string): Record<string, string> {
  const pairs = readFileSync(path, 'utf8').matchAll(/<key>(.+)<\/key>\s*<string>(.*)<\/string>/g);
  return Object.fromEntries([...pairs].map(([, key, text]) => [key, text]));
}
