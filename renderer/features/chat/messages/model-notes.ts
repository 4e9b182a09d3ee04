/** Which answers of the shown branch say what model they are from: pure, over the messages of the conversation. */
import type { TreeMessage } from '../../../../shared/conversation.ts';
import type { RunSummary } from '../../../../shared/run.ts';

/**
 * Words for the answers, by id: for every version of one that was sent to several columns or retried with another
 * model, and for each whose model differs from the answer before. The same name on another connection is another model.
 */
export function modelNotes(
  messages: readonly TreeMessage[],
  path: readonly TreeMessage[],
): ReadonlyMap<string, string> {
  const versions = versionsByParent(messages);
  const notes = new Map<string, string>();
  let before: RunSummary | null = null;
  for (const { id, parentId, run } of path) {
    if (run === null) continue;
    const [first = run, ...retries] = versions.get(parentId) ?? [];
    const beside = besides(run, versions.get(parentId) ?? []);
    if (beside.length > 0) {
      notes.set(id, `${run.model} · compared with ${beside.join(', ')}`);
      before = run;
      continue;
    }
    const isRetried = retries.some((retry) => differs(retry, first));
    if (isRetried)
      notes.set(id, run.id === first.id ? run.model : `Retried with ${named(run, first)}`);
    else if (before !== null && differs(run, before)) {
      notes.set(id, `Switched to ${named(run, before)}`);
    }
    before = run;
  }
  return notes;
}

/** The runs that answered the same message, oldest first. */
function versionsByParent(messages: readonly TreeMessage[]): Map<string | null, RunSummary[]> {
  const versions = new Map<string | null, RunSummary[]>();
  for (const { parentId, run } of messages) {
    if (run === null) continue;
    const known = versions.get(parentId);
    if (known === undefined) versions.set(parentId, [run]);
    else known.push(run);
  }
  return versions;
}

/** The models that answered the same message in other columns, as often as they did. */
function besides(
  { comparisonId, cell }: RunSummary,
  versions: readonly RunSummary[],
): readonly string[] {
  if (comparisonId === null) return [];
  const others = versions.filter((run) => run.comparisonId === comparisonId && run.cell !== cell);
  return [...new Map(others.map((run) => [run.cell, run.model])).values()];
}

function differs(one: RunSummary, other: RunSummary): boolean {
  return one.model !== other.model || one.connectionId !== other.connectionId;
}

function named({ model, connectionId, connectionName }: RunSummary, other: RunSummary): string {
  return connectionId === other.connectionId ? model : `${model} on ${connectionName}`;
}
