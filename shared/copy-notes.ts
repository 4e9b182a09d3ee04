/** What of a comparison's notes goes over to another one. */
import type { Comparison } from './comparison.ts';
import { type ComparisonNotes, noNotes } from './comparison-notes.ts';
import { isSameJson } from './json.ts';

type Rows = Pick<Comparison, 'rows'>;

/** What was noted about the input of a comparison, as another one that is sent the same begins with it. Pure. */
export function copyNotes(before: Rows, notes: ComparisonNotes, after: Rows): ComparisonNotes {
  const requests = before.rows.map(({ request }) => request);
  const isSame = isSameJson(
    requests,
    after.rows.map(({ request }) => request),
  );
  const references = after.rows.flatMap((row) => {
    const known = before.rows.find(({ request }) => isSameJson(request, row.request));
    const text = known && notes.references[known.id];
    return text === undefined ? [] : [[row.id, text]];
  });
  return {
    ...noNotes,
    // Their keys name documents of all rows.
    labels: isSame ? notes.labels : {},
    references: Object.fromEntries(references),
  };
}
