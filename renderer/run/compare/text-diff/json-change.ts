/** A difference of two JSON values as it is shown and copied. Free of the DOM: made in a worker. */
import type { JsonValue } from '../../../../shared/json.ts';
import type { PatchPath } from '../../../../shared/patch.ts';
import type { JsonDifference } from '../metrics/json-diff.ts';

export interface JsonChange {
  kind: JsonDifference['kind'];
  /** `choices[0].text`; `(root)` for all of it. Two with an arrow where an item has another index. */
  path: string;
  /** JSON, indented by two spaces; null if only the other text has it. */
  before: string | null;
  after: string | null;
}

export function printJsonDifference(difference: JsonDifference): JsonChange {
  const path = printPath(difference.path);
  switch (difference.kind) {
    case 'removed':
      return { kind: 'removed', path, before: print(difference.before), after: null };
    case 'added':
      return { kind: 'added', path, before: null, after: print(difference.after) };
    case 'changed': {
      const otherPath = printPath(difference.otherPath);
      return {
        kind: 'changed',
        path: path === otherPath ? path : `${path} → ${otherPath}`,
        before: print(difference.before),
        after: print(difference.after),
      };
    }
  }
}

function print(value: JsonValue): string {
  return JSON.stringify(value, null, 2);
}

function printPath(path: PatchPath): string {
  if (path.length === 0) return '(root)';
  return path
    .map((step) => {
      if (typeof step === 'number') return `[${step}]`;
      return /^[A-Za-z_$][\w$-]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
    })
    .join('')
    .replace(/^\./, '');
}
