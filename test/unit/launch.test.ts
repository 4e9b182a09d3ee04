import { describe, expect, it } from 'vitest';
import { openCommand } from '../../electron/browser/open-browser.ts';
import { getDataFolder } from '../../electron/data-folder.ts';
import { findFailureReason } from '../../electron/launch/fetch-electron.ts';
import { explainExit } from '../../electron/launch/launch-desktop.ts';
import { chooseHost, type LaunchOptions, parseOptions } from '../../electron/launch/options.ts';

describe('the flags', () => {
  const good: [string[], Partial<LaunchOptions>][] = [
    [[], {}],
    [['--self-check'], { checksItself: true }],
    [['--browser'], { host: 'browser' }],
    [['--desktop'], { host: 'desktop' }],
    [['--port', '0', '--no-open'], { port: 0, opensBrowser: false }],
    [['--port=8080'], { port: 8080 }],
  ];
  it.each(good)('reads %j', (args, options) => {
    const usual = { host: null, port: null, opensBrowser: true, checksItself: false };
    expect(parseOptions(args)).toEqual({ ...usual, ...options });
  });

  const bad: [string[], RegExp][] = [
    [['--verbose'], /--verbose/],
    [['extra'], /extra/],
    [['--port', '70000'], /70000/],
    [['--port', 'x'], /"x"/],
    [['--port=-1'], /"-1"/],
    [['--browser', '--desktop'], /either/],
  ];
  it.each(bad)('rejects %j with a single sentence', (args, says) => {
    const problem = parseOptions(args);
    expect(problem).toMatch(says);
    expect(problem).toMatch(/^[^\n]*\.$/);
  });
});

describe('the host', () => {
  it.each([
    ['linux', { DISPLAY: ':0' }],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }],
    ['darwin', {}],
    ['win32', {}],
  ] as const)('starts the desktop on %s with %j', (platform, environment) => {
    expect(chooseHost(null, platform, environment)).toEqual({ host: 'desktop', reason: null });
  });

  it('starts the browser without a display, and explains why', () => {
    const { host, reason } = chooseHost(null, 'linux', { DISPLAY: '' });
    expect(host).toBe('browser');
    expect(reason).toContain('No display');
  });

  it('starts the requested host without an explanation', () => {
    expect(chooseHost('desktop', 'linux', {})).toEqual({ host: 'desktop', reason: null });
    expect(chooseHost('browser', 'darwin', {})).toEqual({ host: 'browser', reason: null });
  });
});

describe('why Electron ended', () => {
  const binary = '/opt/electron/electron';
  const explain = (stderr: string, code: number | null = null) =>
    explainExit({ code, signal: code === null ? 'SIGTRAP' : null, stderr, binary });

  it.each([
    [
      'a missing library',
      'electron: error while loading shared libraries: libnss3.so: cannot open shared object file',
      'libnss3.so isn’t installed',
    ],
    [
      'a missing display',
      '[9:ERROR:ozone_platform_x11.cc] Missing X server or $DISPLAY\nThe platform failed to initialize.',
      'the display couldn’t be opened',
    ],
    ['its last words', 'first\nsomething broke\n\n', 'it exited with code 3: something broke'],
    ['its exit code', '', 'it exited with code 3'],
  ])('names %s', (_name, stderr, reason) => {
    expect(explain(stderr, 3)).toEqual({ reason, remedy: null });
  });

  it('names the signal', () => {
    expect(explain('')).toEqual({ reason: 'it was killed by SIGTRAP', remedy: null });
  });

  it.each([
    [
      "[1:FATAL:setuid_sandbox_host.cc(158)] The SUID sandbox helper binary was found, but is not configured correctly. Rather than run without sandboxing I'm aborting now. You need to make sure that /home/a b/dist/chrome-sandbox is owned by root and has mode 4755.",
      '/home/a b/dist/chrome-sandbox',
    ],
    [
      '[1005/163106.285700:FATAL:content/browser/zygote_host/zygote_host_impl_linux.cc:129] No usable sandbox! If you are running on Ubuntu 23.10+ or another Linux distro that has disabled unprivileged user namespaces with AppArmor, see https://chromium.googlesource.com/',
      '/opt/electron/chrome-sandbox',
    ],
    [
      '[32663:0904/100942.035573:FATAL:credentials.cc(127)] Check failed: . : Permission non accordée (13)',
      '/opt/electron/chrome-sandbox',
    ],
    [
      '[1:FATAL] The SUID sandbox helper binary was found, but is not configured correctly.',
      '/opt/electron/chrome-sandbox',
    ],
  ])('names the command that unblocks the sandbox after %j', (stderr, file) => {
    const { reason, remedy } = explain(stderr);
    expect(reason).toBe("this system blocks Chromium's sandbox");
    expect(remedy).toContain(`sudo chown root:root '${file}' && sudo chmod 4755 '${file}'`);
    expect(remedy).not.toContain('no-sandbox');
  });

  it('advises root, for whom Chromium has no sandbox, to use another user', () => {
    const stderr =
      '[4521:1123/051402.215203:FATAL:electron/shell/app/electron_main_delegate.cc:289] Running as root without --no-sandbox isn’t supported. See https://crbug.com/638180.';
    expect(explain(stderr)).toEqual({
      reason: 'Chromium’s sandbox can’t run as root',
      remedy: 'To use the desktop app, run Gatehouse as a non-root user.',
    });
  });
});

describe('why the download failed', () => {
  it('names the deepest cause', () => {
    const stderr = [
      'TypeError: fetch failed',
      '    at node:internal/deps/undici/undici:1:1',
      '  [cause]: Error: getaddrinfo ENOTFOUND github.com',
      '      at GetAddrInfoReqWrap.onlookup (node:dns:1:1) {',
    ].join('\n');
    expect(findFailureReason(stderr)).toBe('getaddrinfo ENOTFOUND github.com');
  });

  it('falls back to the first line, then to a general reason', () => {
    expect(findFailureReason('\nKilled\n')).toBe('Killed');
    expect(findFailureReason('')).toBe('the install script failed');
  });
});

describe('the data folder', () => {
  const cases: [NodeJS.Platform, NodeJS.ProcessEnv, string][] = [
    ['linux', {}, '/home/ada/.local/share/gatehouse'],
    ['linux', { XDG_DATA_HOME: '/data' }, '/data/gatehouse'],
    ['linux', { XDG_DATA_HOME: 'data' }, '/home/ada/.local/share/gatehouse'],
    ['darwin', {}, '/home/ada/Library/Application Support/Gatehouse'],
    ['win32', { APPDATA: 'C:\\Data' }, 'C:\\Data\\Gatehouse'],
    ['linux', { GATEHOUSE_HOME: '/elsewhere' }, '/elsewhere'],
  ];
  it.each(cases)('finds it on %s with %j: %s', (platform, environment, folder) => {
    expect(getDataFolder({ environment, platform, userHome: '/home/ada' })).toBe(folder);
  });
});

describe('opening a browser', () => {
  it('opens no browser without a display or without xdg-open', () => {
    expect(openCommand('http://127.0.0.1', 'linux', { PATH: process.env.PATH })).toBeNull();
    expect(openCommand('http://127.0.0.1', 'linux', { DISPLAY: ':0', PATH: '' })).toBeNull();
  });

  it('passes the URL as a single argument, never through a shell', () => {
    const url = 'http://127.0.0.1:1/?token=a';
    expect(openCommand(url, 'darwin', {})).toEqual({ command: 'open', args: [url] });
    expect(openCommand(url, 'win32', {})?.args.at(-1)).toBe(url);
  });
});
