/** Makes a program of a folder with Electron's binary and the built Gatehouse. */
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { build, type Plugin } from 'vite';
import manifest from '../../package.json' with { type: 'json' };

export interface Program {
  executable: string;
  args: string[];
  environment: Record<string, string>;
  version: string;
  /** True if the services run in another process, because this Electron is too old. */
  isBridged: boolean;
}

const root = dirname(dirname(import.meta.dirname));
const here = import.meta.dirname;
const fromElectron = (path: string) => join(root, 'electron', path);

/** Modules that an old Electron can't run, with their replacements. */
const REPLACED = new Map([
  [fromElectron('services.ts'), join(here, 'bridge-services.ts')],
  [fromElectron('router.ts'), join(here, 'bridge-router.ts')],
  [fromElectron('media/routes/media-routes.ts'), join(here, 'bridge-media.ts')],
]);
/** Its parts need `node:sqlite`. */
const SELF_CHECK = fromElectron('desktop/self-check.ts');

/** Throws if the folder has no Electron, or the project isn't built. */
export async function prepareProgram(folder: string, workFolder: string): Promise<Program> {
  const executable = findExecutable(folder);
  const version = readVersion(executable);
  const isBridged =
    Number.parseInt(version, 10) < Number.parseInt(manifest.devDependencies.electron, 10);
  if (!isBridged) return { executable, args: [root], environment: {}, version, isBridged };
  const copy = join(workFolder, 'electron');
  cpSync(folder, copy, { recursive: true, verbatimSymlinks: true });
  const resources = join(copy, 'resources');
  for (const name of readdirSync(resources)) {
    if (/^(?:default_)?app\b/.test(name)) rmSync(join(resources, name), { recursive: true });
  }
  await bundleApp(join(resources, 'app'));
  return {
    executable: join(copy, executable.slice(resolve(folder).length)),
    args: [],
    environment: {
      BRIDGE_NODE: process.execPath,
      BRIDGE_HOST: join(here, 'bridge-host.ts'),
      BRIDGE_ROOT: root,
    },
    version,
    isBridged,
  };
}

function findExecutable(folder: string): string {
  const usual = ['electron', 'electron.exe', 'Electron.app/Contents/MacOS/Electron'];
  const found = usual.find((name) => statSync(join(folder, name), { throwIfNoEntry: false }));
  if (found !== undefined) return resolve(folder, found);
  // A renamed program is the largest file that can be executed.
  const [largest] = readdirSync(folder)
    .map((name) => ({ name, facts: statSync(join(folder, name)) }))
    .filter(
      ({ name, facts }) => facts.isFile() && facts.mode & 0o111 && !/\.so\b/.test(extname(name)),
    )
    .sort((one, other) => other.facts.size - one.facts.size);
  if (largest === undefined) throw new Error(`${folder} has no Electron.`);
  return resolve(folder, largest.name);
}

/** Reads it from the binary, because a packaged program has no file with its version. */
function readVersion(executable: string): string {
  const framework = 'Electron Framework.framework/Electron Framework';
  const mac = join(dirname(executable), '..', 'Frameworks', framework);
  const binary = statSync(mac, { throwIfNoEntry: false }) ? mac : executable;
  const [, version] =
    /Electron\/(\d+\.\d+\.\d+)/.exec(readFileSync(binary).toString('latin1')) ?? [];
  if (version === undefined) throw new Error(`${executable} isn’t Electron.`);
  return version;
}

async function bundleApp(app: string): Promise<void> {
  mkdirSync(app, { recursive: true });
  await bundle(join(here, 'old-main.ts'), app, 'main.cjs', 'cjs');
  await bundle(join(here, 'polyfills.ts'), app, 'polyfills.js', 'iife');
  const { productName, version, desktopName } = manifest;
  const own = { name: 'gatehouse', productName, version, desktopName, main: 'main.cjs' };
  writeFileSync(join(app, 'package.json'), JSON.stringify(own));
  cpSync(join(root, '.out', 'preload', 'preload.cjs'), join(app, 'preload.cjs'));
  const page = join(app, 'renderer');
  cpSync(join(root, '.out', 'renderer'), page, { recursive: true });
  cpSync(join(app, 'polyfills.js'), join(page, 'assets', 'polyfills.js'));
  const index = join(page, 'index.html');
  const html = readFileSync(index, 'utf8');
  writeFileSync(
    index,
    html.replace('<script', '<script src="/assets/polyfills.js"></script><script'),
  );
}

async function bundle(entry: string, folder: string, name: string, format: 'cjs' | 'iife') {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    plugins: [replaceModules],
    ssr: { noExternal: true },
    build: {
      ssr: format === 'cjs' ? entry : false,
      target: format === 'cjs' ? 'node18' : 'chrome114',
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: {
        input: entry,
        external: format === 'cjs' ? ['electron', 'electron-updater'] : [],
        output: { format, entryFileNames: name, codeSplitting: false },
      },
    },
  });
}

const replaceModules: Plugin = {
  name: 'gatehouse:bridge',
  enforce: 'pre',
  resolveId(id, importer) {
    if (id === '@orpc/server/message-port') return join(here, 'bridge-rpc.ts');
    if (importer === undefined || !id.startsWith('.')) return null;
    return REPLACED.get(resolve(dirname(importer), id)) ?? null;
  },
  load: (id) =>
    id === SELF_CHECK
      ? 'export const checkDesktopHost = () => { throw new Error("bridged"); };'
      : null,
};
