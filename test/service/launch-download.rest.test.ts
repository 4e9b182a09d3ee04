/** Downloads Electron's binary with Electron's own install script, through proxies and failures. */
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ElectronPackage } from '../../electron/launch/electron-binary.ts';
import { fetchElectron } from '../../electron/launch/fetch-electron.ts';
import { openDesktop } from '../../electron/launch/open-desktop.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';

const project = join(import.meta.dirname, '../..');
const wire = join(import.meta.dirname, '../fixtures/wire');
const certificate = join(wire, 'self-signed-cert.pem');
const MEGABYTE = Buffer.alloc(1_000_000);

let root: string;
let electron: ElectronPackage;
let lines: string[];

beforeEach(() => {
  root = temporaryFolder();
  electron = { folder: join(root, 'node_modules', 'electron'), version: '45.4.1' };
  lines = [];
  mkdirSync(electron.folder, { recursive: true });
});

function fetching(environment: NodeJS.ProcessEnv = {}): Promise<string | null> {
  return fetchElectron(electron, {
    environment: {
      PATH: process.env.PATH,
      electron_config_cache: join(root, 'cache'),
      ...environment,
    },
    log: (line) => lines.push(line),
    stallMs: 25_000,
    checkMs: 20,
    reportMs: 60,
  });
}

function installScript(source: string): void {
  writeFileSync(join(electron.folder, 'install.js'), source);
  writeFileSync(join(electron.folder, 'package.json'), JSON.stringify({ version: '45.4.1' }));
}

/** Copies Electron's own script, which writes files next to itself. */
function realInstallScript(): void {
  for (const name of ['install.js', 'package.json', 'checksums.json']) {
    cpSync(join(project, 'node_modules', 'electron', name), join(electron.folder, name));
  }
  symlinkSync(join(project, 'node_modules'), join(electron.folder, 'node_modules'));
}

async function listen<Kind extends Server>(server: Kind): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const saidOf = (sent: number) => `: ${sent} of 3 MB (${Math.floor((100 * sent) / 3)}%)`;

/** Serves three megabytes that aren't a valid Electron archive. */
async function startMirror(): Promise<string> {
  const server = createServer(
    { key: readFileSync(join(wire, 'self-signed-key.pem')), cert: readFileSync(certificate) },
    (_request, response) => {
      response.setHeader('content-length', 3 * MEGABYTE.length);
      let sent = 0;
      // Send the next chunk once the progress of the previous one was shown.
      const timer = setInterval(() => {
        if (sent > 0 && !lines.some((line) => line.includes(saidOf(sent)))) return;
        sent += 1;
        response.write(MEGABYTE);
        if (sent < 3) return;
        clearInterval(timer);
        response.end();
      }, 20);
      response.on('close', () => clearInterval(timer));
    },
  );
  return `https://127.0.0.1:${await listen(server as unknown as Server)}/`;
}

async function startProxy() {
  const asked: string[] = [];
  const server = createHttpServer();
  server.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  return { asked, url: `http://127.0.0.1:${await listen(server)}` };
}

describe('downloading the binary', () => {
  it("trusts the system's certificates, and reports its size and progress", async () => {
    realInstallScript();
    const ELECTRON_MIRROR = await startMirror();
    const problem = await fetching({ ELECTRON_MIRROR, SSL_CERT_FILE: certificate });
    expect(problem).toMatch(/checksum/i);
    expect(lines[0]).toBe('Downloading Electron 45.4.1 (first run only)…');
    expect(lines[1]).toBe('Downloading Electron: 3 MB');
    expect(lines.join('\n')).toMatch(/^Downloading Electron: 1 of 3 MB \(33%\)$/m);
    expect(lines).toContain('Unpacking Electron…');
  });

  it('reports the cause that the script doesn’t print', async () => {
    realInstallScript();
    expect(await fetching({ ELECTRON_MIRROR: await startMirror() })).toContain('certificate');
    const closed = createHttpServer();
    const port = await listen(closed);
    await new Promise((resolve) => closed.close(resolve));
    const mirror = `http://127.0.0.1:${port}/`;
    expect(await fetching({ ELECTRON_MIRROR: mirror })).toContain('ECONNREFUSED');
  });

  it.each([
    ['the environment', (url: string) => ({ HTTPS_PROXY: url })],
    ['the environment in small letters', (url: string) => ({ https_proxy: url })],
    ["npm's configuration", (url: string) => ({ npm_config_proxy: url })],
  ])('downloads through the proxy of %s', async (_name, environment) => {
    realInstallScript();
    const proxy = await startProxy();
    expect(await fetching(environment(proxy.url))).not.toBeNull();
    expect(proxy.asked).toEqual(['github.com:443']);
  });

  it('stops if no more data arrives', async () => {
    installScript('setInterval(() => undefined, 1000);');
    const problem = await fetchElectron(electron, {
      environment: process.env,
      log: () => undefined,
      stallMs: 400,
      checkMs: 20,
      reportMs: 60,
    });
    expect(problem).toBe('no data for 0.4 seconds');
  });

  it('reports why the script failed, and deletes its temporary folder', async () => {
    vi.stubEnv('TMPDIR', root);
    installScript("console.error(new Error('ENOSPC: no space left').stack); process.exit(1);");
    expect(await fetching()).toBe('ENOSPC: no space left');
    expect(temporaryFolders()).toEqual([]);
  });

  function temporaryFolders(): string[] {
    return readdirSync(tmpdir()).filter((name) => name.startsWith('gatehouse-electron-'));
  }
});

describe('a failed download', () => {
  const attempts = () => readFileSync(join(root, 'attempts'), 'utf8').length;
  const HOUR_MS = 3_600_000;
  let now = 0;

  beforeEach(() => {
    now = Date.UTC(2026, 10, 23);
    installScript(`
      require('node:fs').appendFileSync(${JSON.stringify(join(root, 'attempts'))}, '.');
      console.error('Error: getaddrinfo ENOTFOUND github.com');
      process.exit(1);
    `);
  });

  async function open(more: { insists?: boolean } = {}) {
    const environment = { PATH: process.env.PATH };
    const log = () => undefined;
    return openDesktop({
      root,
      environment,
      key: null,
      insists: false,
      log,
      now: () => now,
      ...more,
    });
  }

  it('retries once a day, and reports the failure each time', async () => {
    const expected = {
      state: 'unavailable',
      reason: 'Electron couldn’t be downloaded (getaddrinfo ENOTFOUND github.com)',
      remedy: expect.stringContaining('npm start -- --desktop'),
    };
    expect(await open()).toEqual(expected);
    now += 23 * HOUR_MS;
    expect(await open()).toEqual(expected);
    expect(attempts()).toBe(1);
    now += HOUR_MS;
    expect(await open()).toEqual(expected);
    expect(attempts()).toBe(2);
  });

  it('retries on request, for another version and after a wrong clock', async () => {
    await open();
    await open({ insists: true });
    expect(attempts()).toBe(2);
    writeFileSync(join(electron.folder, 'package.json'), JSON.stringify({ version: '45.4.2' }));
    await open();
    expect(attempts()).toBe(3);
    now -= 2 * HOUR_MS;
    await open();
    expect(attempts()).toBe(4);
  });
});
