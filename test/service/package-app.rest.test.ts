import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
import { type StandInPackagers, writeStandInPackagers } from '../fixtures/stand-in-packagers.ts';
import { runCommand } from '../scripts/run-command.ts';

const root = dirname(dirname(import.meta.dirname));
const APP_ID = manifest.desktopName.replace(/\.desktop$/, '');
const PACKAGING_KEY = 'sk-package-canary-001';
const usualEntry = {
  Name: 'Gatehouse',
  Icon: 'gatehouse',
  StartupWMClass: APP_ID,
  Type: 'Application',
  Terminal: 'false',
};
const OFF = '0'.charCodeAt(0);
const ON = '1'.charCodeAt(0);

/** electron-builder packages for the platform it runs on, and these tests cover only Linux. */
describe.runIf(process.platform === 'linux')('npm run package', () => {
  let work: string;
  let packaged: string;
  let archive: string;
  let packagers: StandInPackagers;

  beforeAll(async () => {
    work = mkdtempSync(join(tmpdir(), 'gatehouse-package-'));
    const electron = join(work, 'electron');
    writeStandInElectron(electron, manifest.devDependencies.electron);
    packagers = writeStandInPackagers(join(work, 'packagers'));
    const { code, output } = await runCommand(
      process.execPath,
      [
        join(root, 'test', 'scripts', 'package.ts'),
        '--linux',
        'AppImage',
        'deb',
        '--x64',
        `-c.electronDist=${electron}`,
        `-c.directories.output=${join(work, 'dist')}`,
      ],
      {
        timeoutSeconds: 400,
        environment: {
          ...packagers.environment,
          DISPLAY: ':99',
          GATEHOUSE_API_KEY: PACKAGING_KEY,
        },
      },
    );
    expect(output).not.toContain(PACKAGING_KEY);
    expect(code, output).toBe(0);
    expect(output).toMatch(/^stand-in: (?:--no-sandbox )?--self-check$/m);
    packaged = join(work, 'dist', 'linux-unpacked');
    archive = join(packaged, 'resources', 'app.asar');
  }, 420_000);

  afterAll(() => rmSync(work, { recursive: true, force: true }));

  test('sets the fuses that stop others from running code as Gatehouse', async () => {
    const wire = await getCurrentFuseWire(join(packaged, 'gatehouse'));
    expect(wire[FuseV1Options.RunAsNode]).toBe(OFF);
    expect(wire[FuseV1Options.EnableNodeCliInspectArguments]).toBe(OFF);
    expect(wire[FuseV1Options.GrantFileProtocolExtraPrivileges]).toBe(OFF);
    expect(wire[FuseV1Options.OnlyLoadAppFromAsar]).toBe(ON);
    expect(wire[FuseV1Options.EnableEmbeddedAsarIntegrityValidation]).toBe(ON);
    expect(wire[FuseV1Options.EnableNodeOptionsEnvironmentVariable]).toBe(ON);
  });

  test('packages only what is needed at run time', () => {
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
    // Building the deb last leaves files that the deb and its updates need.
    const resources = ['app-update.yml', 'app.asar', 'apparmor-profile', 'package-type'];
    expect(readdirSync(join(packaged, 'resources'))).toEqual(resources);
    const inImage = ['app-update.yml', 'app.asar'];
    expect(readdirSync(join(packagers.appDir, 'resources'))).toEqual(inImage);
  });

  test('contains no source map in a script, and no path of the build machine', () => {
    for (const file of listPackage(archive, { isPack: false })) {
      if (!/\.(?:c?js|css|html|json)$/.test(file)) continue;
      const text = extractFile(archive, file.slice(1)).toString();
      expect(text, file).not.toContain('sourceMappingURL');
      expect(text, file).not.toContain(`${root}/`);
    }
  });

  test('contains no key from the build environment in any file', () => {
    const parts = readdirSync(packaged, { recursive: true, encoding: 'utf8', withFileTypes: true });
    const files = parts.filter((part) => part.isFile());
    expect(files.map(({ name }) => name)).toContain('app.asar');
    const withKey = files.filter(({ parentPath, name }) =>
      readFileSync(join(parentPath, name)).includes(PACKAGING_KEY),
    );
    expect(withKey.map(({ name }) => name)).toEqual([]);
  });

  test('names the built main module, and declares no dependencies', () => {
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

  test('starts its browser host on its own, and serves the page', async () => {
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

  test('starts its desktop on its own, with the page and preload connected', async () => {
    const alone = join(work, 'alone-desktop');
    extractAll(archive, alone);
    const { code, output } = await runCommand(
      process.execPath,
      [
        join(root, 'test', 'fixtures', 'electron', 'run-built-main.ts'),
        join(alone, '.out', 'main', 'main.js'),
      ],
      { timeoutSeconds: 100, environment: { GATEHOUSE_HOME: join(work, 'desktop-data') } },
    );
    expect(code, output).toBe(0);
    expect(output).toContain(READY_LINE);
    const preload = join(alone, '.out', 'preload', 'preload.cjs');
    const script = 'text/javascript; charset=utf-8';
    const found = { status: 200, script, preload, host: 'desktop' };
    expect(output).toContain(JSON.stringify(found));
    expect(existsSync(preload)).toBe(true);
  });

  test('runs the AppImage without FUSE 2, and leaves its sandbox on', () => {
    const squashed = lines(packagers.squashArguments);
    // The AppImage runtime comes before the files.
    expect(squashed).toContain('the static runtime'.length.toString());
    expect(squashed).toContain('zstd');
    const entry = desktopEntry(join(packagers.appDir, `${APP_ID}.desktop`));
    expect(entry).toMatchObject({ ...usualEntry, Exec: 'AppRun %U' });
    expect(existsSync(join(packagers.appDir, `${entry.Icon}.png`))).toBe(true);
    expect(existsSync(join(packagers.appDir, 'gatehouse'))).toBe(true);
  });

  test('updates an AppImage from a feed with the bundled updater', async () => {
    const alone = join(work, 'alone-updating');
    extractAll(archive, alone);
    const installed = join(work, 'gatehouse-0.1.0-linux-x86_64.AppImage');
    writeFileSync(installed, 'the old one');
    const { code, output } = await runCommand(
      process.execPath,
      [
        join(root, 'test', 'fixtures', 'electron', 'update-built-main.ts'),
        join(alone, '.out', 'main', 'main.js'),
        join(packagers.appDir, 'resources'),
      ],
      {
        timeoutSeconds: 100,
        environment: {
          APPDIR: packagers.appDir,
          APPIMAGE: installed,
          GATEHOUSE_HOME: join(work, 'updating-data'),
          XDG_CACHE_HOME: join(work, 'cache'),
        },
      },
    );
    expect(code, output).toBe(0);
    const newer = join(work, 'gatehouse-9.9.9-linux-x86_64.AppImage');
    expect(JSON.parse(output.trim().split('\n').at(-1) ?? '')).toEqual({
      steps: ['available', 'downloaded', 'installing'],
      asked: ['/feed/latest-linux.yml none', '/feed/gatehouse-9.9.9-linux-x86_64.AppImage none'],
      relaunched: newer,
    });
    expect(existsSync(installed)).toBe(false);
    expect(readFileSync(newer, 'utf8')).toContain('#!/bin/sh');
    const feed = readFileSync(join(work, 'dist', 'latest-linux.yml'), 'utf8');
    expect(feed).toContain('.AppImage');
    expect(feed).toContain('.deb');
  });

  test('declares the deb’s dependencies, and matches its desktop entry to its windows', () => {
    const fpm = lines(packagers.debArguments);
    const named = (flag: string) => fpm.filter((_, index) => fpm[index - 1] === flag);
    expect(named('-d')).toEqual(
      expect.arrayContaining(['libgtk-3-0', 'libnotify4', 'libnss3', 'libsecret-1-0', 'libgbm1']),
    );
    expect(named('--deb-recommends')).toEqual(['gnome-keyring | kwalletmanager']);
    const places = fpm.map((argument) => argument.split('=').at(-1));
    expect(places).toContain(`/usr/share/applications/${APP_ID}.desktop`);
    expect(places).toContain('/usr/share/icons/hicolor/512x512/apps/gatehouse.png');
    const entry = desktopEntry(join(packagers.debFiles, 'desktop'));
    expect(entry).toMatchObject({ ...usualEntry, Exec: '/opt/Gatehouse/gatehouse %U' });
  });

  test('installs an AppArmor profile for the sandbox with the deb', () => {
    const profile = readFileSync(join(packaged, 'resources', 'apparmor-profile'), 'utf8');
    expect(profile).toContain('profile "gatehouse" "/opt/Gatehouse/gatehouse"');
    expect(profile).toContain('userns,');
    const script = readFileSync(join(packagers.debFiles, 'after-install'), 'utf8');
    expect(script).toContain('/opt/Gatehouse/resources/apparmor-profile');
    expect(script).toContain('/etc/apparmor.d/gatehouse');
    expect(script).toContain("chmod 4755 '/opt/Gatehouse/chrome-sandbox'");
    expect(script).not.toContain('${');
  });
});

function lines(path: string): string[] {
  return readFileSync(path, 'utf8').trimEnd().split('\n');
}

function desktopEntry(path: string): Record<string, string> {
  const [head, ...fields] = lines(path);
  expect(head).toBe('[Desktop Entry]');
  return Object.fromEntries(fields.map((field) => field.split(/=(.*)/s).slice(0, 2)));
}

/** Returns the one line with a URL. Fails with the host's output if it exits first. */
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
