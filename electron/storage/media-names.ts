/** The names that the files of runs have now: a run's own record says what they were called when they came. */
import type { RunSummary } from '../../shared/run.ts';
import type { Database } from './database-access.ts';

export function withMediaNames<Run extends Pick<RunSummary, 'media'>>(
  db: Database,
  runs: readonly Run[],
): Run[] {
  const ids = runs.flatMap(({ media }) => media.map(({ id }) => id));
  if (ids.length === 0) return [...runs];
  const names = new Map(
    db
      .sql('SELECT id, name FROM media WHERE id IN (SELECT value FROM json_each(?))')
      .all(JSON.stringify(ids))
      .map(({ id, name }) => [id, name]),
  );
  return runs.map((run) => ({
    ...run,
    media: run.media.map((medium) => {
      const name = names.get(medium.id);
      return typeof name === 'string' ? { ...medium, name } : medium;
    }),
  }));
}
