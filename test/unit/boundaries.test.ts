import { describe, expect, it } from 'vitest';
import { boundaryViolations } from '../scripts/boundaries.ts';

function violations(files: Record<string, string>): string[] {
  return boundaryViolations(new Map(Object.entries(files)));
}

/** Built at run time, because the check also reads this file. */
const SPREAD = '...';

describe('import boundaries', () => {
  const broken: [string, string, string][] = [
    ['shared reaching for Node', 'shared/a.ts', "import { join } from 'node:path';"],
    ['shared reaching for a page library', 'shared/a.ts', "import { create } from 'zustand';"],
    ['shared reaching into electron', 'shared/a.ts', "import type { B } from '../electron/b.ts';"],
    ['electron reaching into the page', 'electron/a.ts', "import { b } from '../renderer/b.ts';"],
    ['electron outside desktop', 'electron/browser.ts', "import { app } from 'electron';"],
    ['the updater outside desktop', 'electron/a.ts', "await import('electron-updater');"],
    ['electron by dynamic import', 'electron/launch.ts', "await import('electron');"],
    ['the browser host using desktop', 'electron/browser.ts', "import './desktop/window.ts';"],
    ['demo using the client', 'electron/demo/a.ts', "import { b } from '../gateway/sse.ts';"],
    ['a room in a higher one', 'electron/operations/a.ts', "import { b } from '../runs/b.ts';"],
    ['a type of a higher room', 'electron/storage/a.ts', "import type { B } from '../runs/b.ts';"],
    [
      'a room in its neighbor',
      'electron/storage/search/a.ts',
      "export * from '../../gateway/b.ts';",
    ],
    ['a room in the assembly', 'electron/media/a.ts', "await import('../services.ts');"],
    ['a host in an entry', 'electron/desktop/a.ts', "import '../browser.ts';"],
    ['a room without a layer', 'electron/other/a.ts', "import { b } from '../base/b.ts';"],
    ['the page in electron', 'renderer/a.ts', "import type { B } from '../electron/b.ts';"],
    ['the page reaching for Node', 'renderer/a.ts', "import { join } from 'path';"],
    ['a feature in a feature', 'renderer/features/chat/a.ts', "import { b } from '../image/b.ts';"],
    ['a feature in app', 'renderer/features/chat/a.ts', "import { b } from '../../app/b.ts';"],
    ['lib using a feature', 'renderer/lib/a.ts', "import { b } from '../features/chat/b.ts';"],
    ['lib using a control', 'renderer/lib/a.ts', "import { b } from '../ui/b.ts';"],
    ['a control using media', 'renderer/ui/a.ts', "import { b } from '../media/players/b.ts';"],
    ['media using run', 'renderer/media/a.ts', "import { b } from '../run/form/b.ts';"],
    ['a form using a frame', 'renderer/run/form/a.ts', "import { b } from '../frame/b.ts';"],
    ['a folder without a layer', 'renderer/run/new/a.ts', "import { b } from '../form/b.ts';"],
    ['JSON that is read without its long numbers', 'electron/a.ts', 'JSON.parse(text);'],
    ['a schema that refuses long numbers', 'shared/a.ts', 'const any = z.json();'],
    ['a literal packed into a literal', 'test/a.ts', `const a = {\n  ${SPREAD}{ b, c },\n};`],
    ['a literal packed on one line', 'shared/a.ts', `const a = { ${SPREAD}{ b }, c };`],
    ['a many-line import', 'shared/a.ts', "import {\n  join,\n  sep,\n} from 'node:path';"],
    ['a dialog of its own', 'renderer/ui/a.tsx', "import { Dialog } from '@base-ui/react/dialog';"],
    ['a dialog element', 'renderer/run/form/a.tsx', 'const a = <dialog open />;'],
    ['a modal dialog', 'renderer/app/a.tsx', 'element.showModal();'],
    ['the role of a dialog', 'renderer/media/a.tsx', 'const a = <div role="dialog" />;'],
    ['a re-export', 'shared/a.ts', "export { join } from 'node:path';"],
  ];

  it.each(broken)('finds %s', (_name, path, source) => {
    expect(violations({ [path]: source })).toHaveLength(1);
  });

  const kept: [string, string, string][] = [
    ['the dialog', 'renderer/ui/dialog.tsx', "import { Dialog } from '@base-ui/react/dialog';"],
    ['shared using zod', 'shared/a.ts', "import { z } from 'zod';"],
    ['desktop using electron', 'electron/desktop/a.ts', "import { app } from 'electron';"],
    ['a room using a lower one', 'electron/runs/a.ts', "import { b } from '../operations/b.ts';"],
    ['a room within itself', 'electron/runs/a.ts', "import { b } from './b.ts';"],
    ['a host using the assembly', 'electron/browser/a.ts', "import { b } from '../services.ts';"],
    ['main using desktop', 'electron/main.ts', "import { start } from './desktop/start.ts';"],
    ['a feature within itself', 'renderer/features/chat/a.ts', "import { b } from './b.ts';"],
    ['a frame using a form', 'renderer/run/frame/a.ts', "import { b } from '../form/b.ts';"],
    ['a conditional field', 'shared/a.ts', 'const a = { ...(b && { b }), ...c };'],
    ['a packed literal in a text', 'shared/a.ts', `const a = '  ${SPREAD}{ b }';`],
    ['the word in a text', 'shared/a.ts', "const from = 'node:path';\nexport const a = 'node:fs';"],
  ];

  it.each(kept)('allows %s', (_name, path, source) => {
    expect(violations({ [path]: source })).toEqual([]);
  });

  it('follows the imports of a thread and reports the chain', () => {
    const files = {
      'electron/storage/search-worker.ts': "import { fail } from '../../shared/errors.ts';",
      'shared/errors.ts': "import { z } from 'zod';",
    };
    expect(violations(files)).toEqual([
      'electron/storage/search-worker.ts → shared/errors.ts → zod: a thread loads no zod at run time.',
    ]);
  });

  it('lets the page use schemas as types', () => {
    const files = {
      'renderer/a.ts': "import type { Patch } from '../shared/patch.ts';",
      'shared/patch.ts': "import { z } from 'zod';",
    };
    expect(violations(files)).toEqual([]);
  });
});
