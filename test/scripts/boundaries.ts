/** Checks rules about imports and literals that neither TypeScript nor Biome can express. */
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { findImports } from './find-imports.ts';

/** Source text by path. Paths are relative to the project root and use forward slashes. */
export type Sources = ReadonlyMap<string, string>;

interface Edge {
  from: string;
  /** A path in the project, or the name of a package or built-in module. */
  to: string;
  inside: boolean;
  typeOnly: boolean;
}

interface Rule {
  says: string;
  breaks: (edge: Edge) => boolean;
}

const under = (path: string, ...folders: string[]): boolean =>
  folders.some((folder) => path.startsWith(`${folder}/`));
const featureOf = (path: string): string | undefined =>
  /^renderer\/features\/([^/]+)\//.exec(path)?.[1];
/** The only file that makes dialogs. */
const dialogs = 'renderer/ui/dialog.tsx';
/** The entry point that Electron loads. */
const desktopEntry = 'electron/main.ts';
/** The folders that features build on. */
const shared = ['renderer/run', 'renderer/media', 'renderer/ui', 'renderer/lib'];
/** Matches `electron` and packages that load it. */
const isElectron = ({ to, inside }: Edge): boolean =>
  !inside && /^electron(-updater)?(\/|$)/.test(to);

const sharedPackages = ['zod', '@orpc/contract'];
/** Packages that a side must not load, even through other modules. */
const weights = [
  {
    // The page imports only the contract's types.
    isStart: (path: string) => under(path, 'renderer'),
    packages: ['@orpc/contract', '@orpc/server'],
    says: 'the page loads no',
  },
  {
    // Threads start often, and loading zod would dominate their startup. Only imports,
    // backups and long documents may use zod, because their work takes longer than that.
    isStart: (path: string) =>
      under(path, 'electron') && /(?<!\/(?:import|backup|document))-worker\.ts$/.test(path),
    packages: ['zod'],
    says: 'a thread loads no',
  },
];
const forbid = (starts: string[], ends: string[], says: string): Rule => ({
  says,
  breaks: ({ from, to }) => under(from, ...starts) && under(to, ...ends),
});
/**
 * Maps a folder to its layers, lowest first. A layer lists rooms: subfolders, files, or `.` for the
 * folder's other files. A room imports only rooms of lower layers, so that rooms of one layer don't
 * know each other.
 */
const layers: Readonly<Record<string, readonly (readonly string[])[]>> = {
  electron: [
    ['base', 'page', 'resources'],
    ['redaction'],
    ['gateway', 'storage'],
    ['media', 'prices'],
    ['backup', 'demo'],
    ['models'],
    ['connections'],
    ['mcp', 'operations'],
    ['runs', 'tools'],
    ['comparisons'],
    ['checks'],
    ['clearing', 'conversations'],
    // These files assemble the services.
    ['.'],
    ['launch', 'self-check'],
    ['browser', 'cli', 'desktop'],
    ['dev'],
    ['browser.ts', 'demo/main.ts', 'dev.ts', 'launch.ts', 'main.ts'],
  ],
  'renderer/features/chat': [
    ['conversation'],
    ['session'],
    ['list'],
    ['options'],
    ['composer'],
    ['log'],
    ['columns'],
    ['.'],
  ],
  'renderer/features/chat/log': [['answer'], ['find'], ['.']],
  'renderer/run': [
    ['live'],
    ['body'],
    ['code'],
    ['form'],
    ['frame', 'mcp'],
    ['list'],
    ['compare'],
    ['paste'],
    ['views'],
    ['panel'],
    ['.'],
  ],
};

function layerRule([folder, table]: [string, readonly (readonly string[])[]]): Rule {
  const layerByRoom = new Map(
    table.flatMap((rooms, layer) => rooms.map((room) => [room, layer] as const)),
  );
  const findRoom = (path: string): string | null => {
    if (!under(path, folder)) return null;
    const inside = path.slice(folder.length + 1);
    if (layerByRoom.has(inside)) return inside;
    return inside.includes('/') ? inside.replace(/\/.*/, '') : '.';
  };
  return {
    says: `rooms of ${folder}/ import only rooms of lower \`layers\``,
    breaks({ from, to }) {
      const [room, other] = [findRoom(from), findRoom(to)];
      if (room === null || other === null || room === other) return false;
      const [layer, below] = [layerByRoom.get(room), layerByRoom.get(other)];
      return layer === undefined || below === undefined || below >= layer;
    },
  };
}

const rules: Rule[] = [
  {
    says: 'shared/ imports only itself, zod and the contract library',
    breaks: ({ from, to, inside }) =>
      under(from, 'shared') && !(inside ? under(to, 'shared') : sharedPackages.includes(to)),
  },
  forbid(['electron'], ['renderer', 'test'], 'electron/ imports neither renderer/ nor test/'),
  {
    says: "only electron/desktop/ and its entries import 'electron' and 'electron-updater'",
    breaks: (edge) =>
      isElectron(edge) &&
      under(edge.from, 'electron', 'renderer') &&
      !under(edge.from, 'electron/desktop'),
  },
  {
    says: 'only the desktop entry imports electron/desktop/',
    breaks: ({ from, to }) =>
      under(to, 'electron/desktop') &&
      !under(from, 'electron/desktop', 'test') &&
      from !== desktopEntry,
  },
  forbid(
    ['electron/demo'],
    ['electron/gateway'],
    'the demo gateway is a peer of the gateway client and shares no code with it',
  ),
  {
    says: 'renderer/ imports neither electron/, test/ nor Node',
    breaks: ({ from, to, inside }) =>
      under(from, 'renderer') && (under(to, 'electron', 'test') || (!inside && isBuiltin(to))),
  },
  {
    says: 'features do not import each other',
    breaks: ({ from, to }) => {
      const [one, other] = [featureOf(from), featureOf(to)];
      return one !== undefined && other !== undefined && one !== other;
    },
  },
  forbid(
    ['renderer/features', ...shared],
    ['renderer/app'],
    'features, run/, media/, ui/ and lib/ do not import the shell (app/)',
  ),
  forbid(shared, ['renderer/features'], 'run/, media/, ui/ and lib/ do not import features'),
  forbid(['renderer/media'], ['renderer/run'], 'media/ does not import run/'),
  forbid(
    ['renderer/ui', 'renderer/lib'],
    ['renderer/media', 'renderer/run'],
    'ui/ and lib/ import neither media/ nor run/',
  ),
  forbid(['renderer/lib'], ['renderer/ui'], 'lib/ does not import ui/'),
  {
    says: 'dialogs are made by ui/dialog.tsx, which keeps undo and Run from the panel behind them',
    breaks: ({ from, to }) =>
      /^@base-ui\/react(?:\/(?:alert-dialog|dialog|drawer))?$/.test(to) && from !== dialogs,
  },
  ...Object.entries(layers).map(layerRule),
];

/** Returns one sentence for each broken rule. */
export function boundaryViolations(sources: Sources): string[] {
  const edges = [...sources].flatMap(([from, source]) => edgesOf(from, source));
  const broken = edges.flatMap((edge) =>
    rules
      .filter((rule) => rule.breaks(edge))
      .map((rule) => `${edge.from} imports ${edge.to}: ${rule.says}.`),
  );
  return [
    ...broken,
    ...heavyChains(edges),
    ...roundedNumbers(sources),
    ...packedLiterals(sources),
    ...ownDialogs(sources),
  ];
}

/**
 * Files that may call JSON.parse, because their JSON isn't from a request, a response or the
 * database.
 */
const ownJson = new Set([
  'electron/launch/electron-binary.ts',
  'electron/storage/event-lines.ts',
  'renderer/features/chat/log/answer/validate-json.ts',
  'renderer/lib/tab-storage.ts',
  'renderer/lib/undo.ts',
  'renderer/media/uploads/upload-recording.ts',
  'shared/parse-json.ts',
]);

function roundedNumbers(sources: Sources): string[] {
  return [...sources].flatMap(([path, source]) =>
    under(path, 'shared', 'electron', 'renderer') &&
    !ownJson.has(path) &&
    /\bJSON\.parse\(|\bz\.json\(/.test(source.replace(/^\s*(?:\/?\*|\/\/).*$/gm, ''))
      ? [
          `${path} reads JSON by itself: shared/parse-json.ts and json-schema.ts keep every digit of a number.`,
        ]
      : [],
  );
}

/** Finds dialogs that a library's import doesn't give away. */
function ownDialogs(sources: Sources): string[] {
  return [...sources].flatMap(([path, source]) =>
    under(path, 'renderer') && /<dialog\b|\.showModal\(|\srole="dialog"/.test(source)
      ? [
          `${path} makes a dialog by itself: use ${dialogs}, which keeps undo and Run from the panel.`,
        ]
      : [],
  );
}

/** A literal spread into a literal only saves lines, and hides excess properties from TypeScript. */
const PACKED = /(?:^[ \t]*|[{,]\s*)\.\.\.\{/gm;

function packedLiterals(sources: Sources): string[] {
  return [...sources].flatMap(([path, source]) =>
    Array.from(source.matchAll(PACKED), ({ index, 0: found }) => {
      const line = source.slice(0, index + found.length).split('\n').length;
      return `${path}:${line} spreads a literal: write its fields into the object.`;
    }),
  );
}

function edgesOf(from: string, source: string): Edge[] {
  return findImports(from, source).map(({ specifier, typeOnly }) => {
    const inside = specifier.startsWith('.');
    const path = specifier.replace(/\?.*$/, '');
    const to = inside ? posix.join(posix.dirname(from), path) : path;
    return { from, to, inside, typeOnly };
  });
}

/** Follows run-time imports, including those through shared/. */
function heavyChains(edges: Edge[]): string[] {
  const loads = Map.groupBy(
    edges.filter(({ typeOnly }) => !typeOnly),
    ({ from }) => from,
  );
  const starts = [...loads.keys()];
  return weights.flatMap(({ isStart, packages, says }) => {
    const seen = new Set<string>();
    const queue = starts.filter(isStart).map((path) => [path]);
    const found: string[] = [];
    for (let chain = queue.shift(); chain; chain = queue.shift()) {
      for (const { to } of loads.get(chain.at(-1) ?? '') ?? []) {
        if (seen.has(to)) continue;
        const longer = [...chain, to];
        if (packages.includes(to)) found.push(`${longer.join(' → ')}: ${says} ${to} at run time.`);
        else if (loads.has(to)) {
          seen.add(to);
          queue.push(longer);
        }
      }
    }
    return found;
  });
}

export function readSources(root: string, folders: string[]): Sources {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path) && !path.includes('node_modules'))
      .map((path) => posix.join(folder, path.replaceAll('\\', '/'))),
  );
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}
