/** Checks what README and the documents say about links, paths, commands, labels, limits and keys. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getDataFolder } from '../../electron/data-folder.ts';
import { parseOptions } from '../../electron/launch/options.ts';
import manifest from '../../package.json' with { type: 'json' };
import { getPanelLabel } from '../../renderer/lib/panels.ts';
import { connectionPresets } from '../../shared/connection-presets.ts';
import { operationNameSchema } from '../../shared/operations/operation-name.ts';
import { operations } from '../../shared/operations/operations.ts';
import { keepRunsDaysSchema } from '../../shared/settings.ts';
import { listLimits } from '../fixtures/document-limits.ts';
import { readSources } from '../scripts/boundaries.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pages = readdirSync(join(root, 'docs')).map((name) => `docs/${name}`);
/** Pages for users; `docs/formats.md` and `docs/code-map.md` are for developers. */
const manual = ['README.md', ...pages.filter((page) => !/(?:formats|code-map)\.md$/.test(page))];
const projectFiles = ['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];
const documents = ['README.md', ...pages, ...projectFiles];
const texts = new Map(documents.map((path) => [path, read(path)]));
const sources = readSources(root, ['electron', 'renderer', 'shared']);

/** Lists `[document, match]` for each match that `isTrue` rejects, without duplicates. */
function findFalse(
  paths: readonly string[],
  pattern: RegExp,
  isTrue: (match: string, document: string) => boolean,
): string[] {
  const found = paths.flatMap((path) =>
    [...(texts.get(path) ?? expect.fail(path)).matchAll(pattern)]
      .map(([whole, match = whole]) => match)
      .filter((match) => !isTrue(match, path))
      .map((match) => `${path}: ${match}`),
  );
  return [...new Set(found)];
}

describe('links and paths', () => {
  it('links to files and headings that exist', () => {
    const links = /(?:\]\(|(?:src|srcset)=")(?!https?:|mailto:)([^)"\s]+)/g;
    expect(findFalse(documents, links, isTarget)).toEqual([]);
    expect(isTarget('docs/chat.md#nowhere', 'README.md')).toBe(false);
  });

  it('names paths that exist', () => {
    const paths = /`((?:electron|shared|renderer|test|docs|\.ci|\.github)\/[^`\s<]*)/g;
    const exists = (path: string) => existsSync(join(root, path));
    expect(findFalse(documents, paths, exists)).toEqual([]);
    expect((texts.get('docs/code-map.md') ?? '').match(paths)?.length).toBeGreaterThan(60);
  });

  it('lists every page in the manual', () => {
    const index = texts.get('docs/README.md') ?? '';
    const names = pages.map((page) => page.slice('docs/'.length));
    expect(names.filter((name) => name !== 'README.md' && !index.includes(`(${name})`))).toEqual(
      [],
    );
  });
});

function isTarget(link: string, document: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? document : join(dirname(document), path);
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || listAnchors(read(target)).includes(anchor);
}

/** Returns the anchors that GitHub gives the headings. */
function listAnchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

describe('commands', () => {
  it('runs scripts that exist', () => {
    const isScript = (name: string) => Object.hasOwn(manifest.scripts, name);
    expect(findFalse(documents, /npm run ([\w:]+)/g, isScript)).toEqual([]);
  });

  it('starts Gatehouse with flags that it has', () => {
    const isValid = (flags: string) => typeof parseOptions(flags.trim().split(' ')) !== 'string';
    expect(findFalse(documents, /npm start -- ([^`\n#]+)/g, isValid)).toEqual([]);
    const gateway = /npm run gateway -- ([^`\n#]+)/g;
    const usage = sources.get('electron/demo/main.ts') ?? '';
    const isKnown = (flags: string) =>
      (flags.match(/--[\w-]+/g) ?? []).every((flag) => usage.includes(`[${flag} `));
    expect(findFalse(documents, gateway, isKnown)).toEqual([]);
  });

  it('names variables that the code reads', () => {
    const code = [...sources.values(), ...readSources(root, ['test']).values()].join('\n');
    expect(findFalse(documents, /\bGATEHOUSE_\w+/g, (name) => code.includes(name))).toEqual([]);
  });
});

describe('labels', () => {
  /** Bold text that isn't a label of Gatehouse. */
  const others = new Set([
    'Gatehouse',
    // Windows and macOS show these at the first start.
    'Windows protected your PC',
    'More info',
    'Run anyway',
    'Apple could not verify “Gatehouse” is free of malware',
    'Done',
    'Open Anyway',
    'Gatehouse wants to use your confidential information',
    'Always Allow',
  ]);
  const code = straighten([...sources.values()].join('\n'));
  /** Every string, and every line of text, in the code. */
  const labels = new Set([
    ...[...code.matchAll(/['"`>]([^'"`<>\n]+)(?=['"`<])/g)].map(([, text = '']) => text.trim()),
    ...code.split('\n').map((line) => line.trim()),
    // Text with an apostrophe.
    ...[...code.matchAll(/["`]([^"`\n]+)["`]/g)].map(([, text = '']) => text),
  ]);
  const isLabel = (text: string) => labels.has(text);

  it('names labels that the page has', () => {
    const isTrue = (bold: string) =>
      // The first words of a list item, such as “No account.”, are a sentence.
      bold.endsWith('.') ||
      others.has(bold) ||
      bold.split(' → ').every((part) => isLabel(part.replaceAll(/\s+/g, ' ')));
    expect(findFalse(manual, /\*\*([^*]+)\*\*/g, isTrue)).toEqual([]);
    expect(isLabel('Send the telegram')).toBe(false);
  });
});

const limits = listLimits(sources);

/** Numbers that aren't limits, by their text. */
const otherQuantities = new Set([
  // Choices of Settings, Data.
  ...[...keepRunsDaysSchema.values].map((days) => `${days} days`),
  // An example in docs/desktop.md.
  '180 ms',
  // The smaller copy of a recording.
  '16 kHz',
]);

describe('quantities', () => {
  const unit =
    '(?:GiB|MiB|KiB|GB|MB|kB|ms|kHz|(?:million )?(?:JSON values|characters)|seconds|minutes|hours|days|' +
    'tokens|requests|messages|columns|repeats|variants|pixels|rows|tries|inputs)';

  it('names only quantities that the code has', () => {
    const known = new Set([
      ...Object.values(limits).flatMap((rows) => rows.map(({ text }) => text)),
      ...otherQuantities,
    ]);
    const quantity = new RegExp(`(?<![\\d.,])(\\d[\\d.,]*\\s${unit})\\b`, 'g');
    const isKnown = (text: string) => known.has(text.replaceAll(/\s+/g, ' '));
    expect(findFalse(manual, quantity, isKnown)).toEqual([]);
  });

  it('writes quantities in digits, so that the check above sees them', () => {
    const spelled = new RegExp(
      `\\b((?:two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|sixty|hundred)\\s${unit})\\b`,
      'gi',
    );
    expect(findFalse(manual, spelled, () => false)).toEqual([]);
  });
});

describe('keys and endpoints', () => {
  it('names only keys of the list of shortcuts, or of a command', () => {
    const combination = /(<kbd>[^<]+<\/kbd>(?:\+<kbd>[^<]+<\/kbd>)*)/g;
    const [, list = ''] = (texts.get('docs/shortcuts.md') ?? '').split('<!-- shortcuts -->');
    const listed = list.split('<!-- end -->')[0]?.match(combination) ?? [];
    expect(listed.length).toBeGreaterThan(30);
    const commands = [...sources.values()].flatMap((source) =>
      [...source.matchAll(/(?:shortcut(?:=|: )|_KEYS = )['"]([^'"]+)['"]/g)].map(
        ([, keys = '']) => keys,
      ),
    );
    const alone = ['<kbd>Ctrl</kbd>', '<kbd>⌘</kbd>'];
    const known = new Set([...listed, ...commands.map(writeKeys), ...alone]);
    expect(findFalse(manual, combination, (keys) => known.has(keys))).toEqual([]);
  });

  it('names only endpoints and base URLs of the code', () => {
    const code = [...sources.values()].join('\n');
    const isEndpoint = (path: string) => code.includes(path);
    expect(findFalse(manual, /`(?:GET |POST )?(\/(?:v1|api)[^`\s]*)/g, isEndpoint)).toEqual([]);
    const presets = connectionPresets.map(({ baseUrl }) => baseUrl);
    const examples = ['https://gateway.example.com', 'http://user:password@proxy:8080'];
    const isBase = (url: string) => [...presets, ...examples].includes(url);
    expect(findFalse(manual, /(?:`|BASE_URL=)(https?:\/\/[^`\s]+)/g, isBase)).toEqual([]);
  });

  it('names gateways in the first sentence that have a preset', () => {
    const [, list = ''] = /gateways: ([^.]+), or anything/.exec(texts.get('README.md') ?? '') ?? [];
    const names = list.split(/,\s+/);
    expect(names.length).toBeGreaterThan(4);
    const known = connectionPresets.map(({ name }) => name);
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  });
});

function writeKeys(shortcut: string): string {
  const names: Record<string, string> = {
    Mod: 'Ctrl',
    Escape: 'Esc',
    ArrowUp: '↑',
    ArrowDown: '↓',
  };
  return shortcut
    .split(/\+(?=.)/)
    .map((key) => `<kbd>${names[key] ?? key}</kbd>`)
    .join('+');
}

describe('data', () => {
  const text = texts.get('docs/data.md') ?? '';

  it('names the data folder of each system', () => {
    const none = { environment: {}, userHome: '~' };
    expect(text).toContain(`\`${getDataFolder({ ...none, platform: 'linux' })}\``);
    expect(text).toContain(`\`${getDataFolder({ ...none, platform: 'darwin' })}\``);
    const windows = { APPDATA: '%APPDATA%' };
    const onWindows = getDataFolder({ ...none, environment: windows, platform: 'win32' });
    expect(text).toContain(`\`${onWindows}\``);
  });

  it('names files and folders that the code creates', () => {
    const names = [...text.matchAll(/^[├└]── ([\w.]+)/gm)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(6);
    const code = [...sources]
      .filter(([path]) => path.startsWith('electron/'))
      .map(([, source]) => source)
      .join('\n');
    expect(names.filter((name) => !code.includes(`'${name}'`))).toEqual([]);
  });
});

describe('README', () => {
  const readme = texts.get('README.md') ?? '';

  it('has at most 800 words', () => {
    expect(readme.split(/\s+/).length).toBeLessThanOrEqual(800);
  });

  it('has each picture in both themes', () => {
    const pictures = [...readme.matchAll(/test\/screenshots\/(\w+)-(light|dark)\.png/g)];
    const themes = Map.groupBy(pictures, ([, name = '']) => name);
    expect([...themes.values()].map((found) => found.map(([, , theme]) => theme))).toEqual(
      Array(5).fill(['dark', 'light']),
    );
  });
});

it('keeps lines within 120 columns and uses straight quotes', () => {
  const isProse = (line: string) => !/^\||^\s*<|https?:|^- \[|\]\(/.test(line);
  const lines = manual.flatMap((path) =>
    (texts.get(path) ?? '').split('\n').map((line) => ({ path, line })),
  );
  const tooLong = lines.filter(({ line }) => isProse(line) && line.length > 120);
  expect(tooLong).toEqual([]);
  expect(lines.filter(({ line }) => line.includes('’'))).toEqual([]);
});

/** To write the tables: `npx vitest run --project unit test/unit/documents.test.ts -u`. */
describe('generated tables', () => {
  const TABLE = /(?<=<!-- generated: (?<name>[^>]+) -->\n).*?(?=<!-- end -->)/gs;

  it.each(['docs/connections.md', 'docs/limits.md'])('match the code in %s', async (page) => {
    const current = read(page).replace(TABLE, (_table, name: string) => {
      const write = tables[name] ?? expect.fail(name);
      return `\n${write().join('\n')}\n\n`;
    });
    await expect(current).toMatchFileSnapshot(`../../${page}`);
  });
});

const tables: Record<string, () => string[]> = {
  presets: () => [
    '| Gateway | Base URL | Panels | Good to know |',
    '|---|---|---|---|',
    ...connectionPresets
      .toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
      .map(({ name, baseUrl, panels, note, sources: [source = ''] }) => {
        const labels = panels.map(getPanelLabel).join(', ');
        return `| [${name}](${source}) | \`${baseUrl}\` | ${labels} | ${straighten(note ?? '')} |`;
      }),
  ],
  endpoints: () => [
    '| Panel | Endpoints |',
    '|---|---|',
    ...operationNameSchema.options.map((name) => {
      const { method, path, formats = [] } = operations[name];
      const paths = [path, ...formats.flatMap((format) => [format.path, format.form?.path ?? []])];
      const unique = [...new Set(paths.flat())].map((each) => `\`${method} ${each}\``);
      const all = name === 'console' ? 'Any path under the base URL' : unique.join(', ');
      const tasks = name === 'video' ? ', each with `GET …/{id}`' : '';
      return `| ${getPanelLabel(name)} | ${all}${tasks} |`;
    }),
  ],
  limits: () =>
    Object.entries(limits).flatMap(([area, found], index) => [
      ...(index === 0 ? [] : ['']),
      `## ${area}`,
      '',
      '| What | Limit |',
      '|---|---|',
      ...found.map(({ what, text }) => `| ${what} | ${text} |`),
    ]),
};

function straighten(text: string): string {
  return text.replaceAll('’', "'");
}
