/** Finds a Chromium for the tests, or installs one. */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { runCommand } from './run-command.ts';

const INSTALL_SECONDS = 300;

const usualPlaces: Partial<Record<NodeJS.Platform, string[]>> = {
  // The headless shell opens a page in half the time, because it draws no window.
  linux: [
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/snap/bin/chromium',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
};

/**
 * Disables the sandbox, with which Chromium refuses to run as root, and keeps Chromium off the
 * network.
 */
export const chromiumArgs = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Prefers GATEHOUSE_CHROMIUM, then Playwright's Chromium, then the system's. */
export function findChromium(): string | null {
  const chosen = process.env.GATEHOUSE_CHROMIUM;
  if (chosen) return existsSync(chosen) ? chosen : null;
  const candidates = [chromium.executablePath(), ...(usualPlaces[process.platform] ?? [])];
  return candidates.find((path) => path !== '' && existsSync(path)) ?? null;
}

/**
 * Returns the path to Chromium. Prints the command to install it and returns null if there is none.
 */
export async function ensureChromium(log: (line: string) => void): Promise<string | null> {
  const found = findChromium();
  if (found !== null) {
    log(`Chromium: ${found}`);
    return found;
  }
  if (process.env.GATEHOUSE_CHROMIUM) {
    log(`GATEHOUSE_CHROMIUM names ${process.env.GATEHOUSE_CHROMIUM}, which is not there.`);
    return null;
  }
  for (const { name, command, args } of installers()) {
    log(`No Chromium found. Installing ${name}: ${[command, ...args].join(' ')}`);
    const { code, output } = await runCommand(command, args, { timeoutSeconds: INSTALL_SECONDS });
    const installed = findChromium();
    if (code === 0 && installed !== null) {
      log(`Chromium: ${installed}`);
      return installed;
    }
    log(`That failed: ${lastLine(output)}`);
  }
  log(`No Chromium could be installed. Run this, then npm test again:\n\n  ${manualCommand()}\n`);
  return null;
}

interface Installer {
  name: string;
  command: string;
  args: string[];
}

function installers(): Installer[] {
  const own = {
    name: "Playwright's own",
    command: process.execPath,
    args: ['node_modules/playwright-core/cli.js', 'install', ...withLibraries(), 'chromium'],
  };
  const system = {
    name: "the system's",
    command: 'sh',
    args: [
      '-c',
      `apt-get update && ${install('chromium-headless-shell')} || ${install('chromium')}`,
    ],
  };
  return canUseApt() ? [own, system] : [own];
}

function install(aptPackage: string): string {
  return `DEBIAN_FRONTEND=noninteractive apt-get install -y ${aptPackage}`;
}

/** Also installs the libraries that Chromium needs, if run as root on a supported system. */
function withLibraries(): string[] {
  return canUseApt() ? ['--with-deps'] : [];
}

function canUseApt(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

function manualCommand(): string {
  if (!existsSync('/usr/bin/apt-get')) return 'npx playwright install chromium';
  const asRoot = process.getuid?.() === 0 ? '' : 'sudo ';
  return `${asRoot}apt-get update && ${asRoot}apt-get install -y chromium`;
}

/** Returns the last line that isn't part of a stack trace. */
function lastLine(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  return lines.findLast((line) => line !== '' && !line.startsWith('at ')) ?? 'it said nothing';
}
