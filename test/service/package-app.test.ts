import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { extractAll, extractFile, listPackage } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { READY_LINE } from '../../electron/launch/status-lines.ts';
import manifest from '../../package.json' with { type: 'json' };
import { writeStandInElectron } from '../fixtures/stand-in-electron.ts';
import { runCommand } from '../scripts/run-command.ts';

const root = dirname(dirname(import.meta.dirname));
const OFF = '0'.charCodeAt(0);
const ON = '1'.charCodeAt(0);

/** electron-builder takes the platform it runs on; here only Linux is proven. */
describe.runIf(process.platform === 'linux')('npm run package', () => {
  let work: string;
  let packaged: string;
  let archive: string;

  beforeAll(async () => {
    work = mkdtempSync(join(tmpdir(), 'gatehouse-package-'));
    const electron = join(work, 'electron');
    writeStandInElectron(electron, manifest.devDependencies.electron);
    const { code, output } = await runCommand(
      process.execPath,
      [
        join(root, 'test', 'scripts', 'package.ts'),
        '--dir',
        '--x64',
        `-c.electronDist=${electron}`,
        `-c.directories.output=${join(work, 'dist')}`,
      ],
      { timeoutSeconds: 170, environment: { GATEHOUSE_API_KEY: 'sk-package-canary-001' } },
    );
    expect(output).not.toContain('sk-package-canary-001');
    expect(code, output).toBe(0);
    packaged = join(work, 'dist', 'linux-unpacked');
    archive = join(packaged, 'resources', 'app.asar');
  }, 180_000);

  afterAll(() => rmSync(work, { recursive: true, force: true }));

  test('flips the fuses that would let others run code as Gatehouse', async () => {
    const wire = await getCurrentFuseWire(join(packaged, 'gatehouse'));
    expect(wire[FuseV1Options.RunAsNode]).toBe(OFF);
    expect(wire[FuseV1Options.EnableNodeCliInspectArguments]).toBe(OFF);
    expect(wire[FuseV1Options.GrantFileProtocolExtraPrivileges]).toBe(OFF);
    expect(wire[FuseV1Options.OnlyLoadAppFromAsar]).toBe(ON);
    expect(wire[FuseV1Options.EnableEmbeddedAsarIntegrityValidation]).toBe(ON);
    expect(wire[FuseV1Options.EnableNodeOptionsEnvironmentVariable]).toBe(ON);
  });

  test('packages what runs and nothing else', () => {
    const files = listPackage(archive, { isPack: false });
    expect(files).toEqual(
      expect.arrayContaining([
        '/package.json',
        '/.out/main/main.js',
        '/.out/main/browser.js',
        '/.out/preload/preload.cjs',
        '/.out/renderer/index.html',
      ]),
    );
    const allowed = /^\/(?:package\.json|\.out(?:\/(?:main|preload|renderer)(?:\/.+)?)?)$/;
    expect(files.filter((file) => !allowed.test(file))).toEqual([]);
    expect(files.filter((file) => /\.map$|node_modules|\.tsx?$|\.test\./.test(file))).toEqual([]);
    expect(readdirSync(join(packaged, 'resources'))).toEqual(['app.asar']);
  });

  test('carries no source map inside a script, and no path of the machine that built it', () => {
    for (const file of listPackage(archive, { isPack: false })) {
      if (!/\.(?:c?js|css|html|json)$/.test(file)) continue;
      const text = extractFile(archive, file.slice(1)).toString();
      expect(text, file).not.toContain('sourceMappingURL');
      expect(text, file).not.toContain(`${root}/`);
    }
  });

  test('names the main module of the build, and no package that would have to be there', () => {
    const packed: unknown = JSON.parse(extractFile(archive, 'package.json').toString());
    expect(packed).toMatchObject({
      name: 'gatehouse',
      productName: 'Gatehouse',
      version: manifest.version,
      type: 'module',
      main: '.out/main/main.js',
    });
    expect(packed).not.toHaveProperty('dependencies');
    expect(packed).not.toHaveProperty('devDependencies');
    expect(packed).not.toHaveProperty('scripts');
  });

  test('its browser host starts by itself, with nothing around it, and serves the page', async () => {
    const alone = join(work, 'alone');
    extractAll(archive, alone);
    const home = join(work, 'home');
    await mkdir(home);
    const host = spawn(
      process.execPath,
      [join(alone, '.out', 'main', 'browser.js'), '--port', '0', '--no-open'],
      { cwd: home, env: { GATEHOUSE_HOME: join(home, 'data') }, stdio: ['pipe', 'pipe', 'pipe'] },
    );
    const ended = once(host, 'exit');
    onTestFinished(async () => {
      host.kill('SIGKILL');
      await ended;
    });
    const address = await firstAddress(host.stdout, ended);
    const entry = await fetch(address, { redirect: 'manual' });
    const cookie = entry.headers.get('set-cookie')?.split(';')[0] ?? '';
    const page = await fetch(new URL('/', address), { headers: { cookie } });
    expect(page.status).toBe(200);
    const html = await page.text();
    expect(html).toContain('<title>Gatehouse</title>');
    const [, script = ''] = /<script[^>]+src="([^"]+)"/.exec(html) ?? [];
    const loaded = await fetch(new URL(script, address), { headers: { cookie } });
    expect(loaded.headers.get('content-type')).toContain('text/javascript');

    expect(existsSync(join(home, 'data', 'ledger.sqlite'))).toBe(true);
    host.kill('SIGTERM');
    const [code] = await ended;
    expect(code).toBe(0);
  });

  test('its desktop entry needs nothing but Electron, and finds its page and preload', async () => {
    const alone = join(work, 'alone-desktop');
    extractAll(archive, alone);
    const { code, output } = await runCommand(
      process.execPath,
      [
        join(root, 'test', 'fixtures', 'electron', 'run-built-main.ts'),
        join(alone, '.out', 'main', 'main.js'),
      ],
      { timeoutSeconds: 20, environment: { GATEHOUSE_HOME: join(work, 'desktop-data') } },
    );
    expect(code, output).toBe(0);
    expect(output).toContain(READY_LINE);
    const preload = join(alone, '.out', 'preload', 'preload.cjs');
    const found = { status: 200, script: 'text/javascript; charset=utf-8', preload };
    expect(output).toContain(JSON.stringify(found));
    expect(existsSync(preload)).toBe(true);
  });

  test('declares why it wants the microphone, and asks macOS for no more than it needs', () => {
    const config = readFileSync(join(root, 'electron-builder.yml'), 'utf8');
    expect(config).toContain('NSMicrophoneUsageDescription: Gatehouse records');
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

/** The one line with an address; fails with what the host said where it ends before. */
async function firstAddress(
  output: NodeJS.ReadableStream,
  ended: Promise<unknown>,
): Promise<string> {
  const lines = createInterface({ input: output });
  const found = Promise.withResolvers<string>();
  lines.on('line', (line) => {
    if (/^http:\/\/127\.0\.0\.1:\d+\/\?token=/.test(line)) found.resolve(line);
  });
  void ended.then(() => found.reject(new Error('The browser host ended before its address')));
  return found.promise;
}
