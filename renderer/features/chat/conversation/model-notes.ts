import type { TreeMessage } from '../../../../shared/conversation.ts';
import type { RunSummary } from '../../../../shared/run.ts';

/** Notes an answer's model if it changed, was compared or was retried, per connection. */
export function getModelNotes(
  messages: readonly TreeMessage[],
  path: readonly TreeMessage[],
): ReadonlyMap<string, string> {
  const versions = Map.groupBy(
    messages.flatMap((message) => {
      const run = getAnswerRun(message);
      return run === null ? [] : [{ parentId: message.parentId, run }];
    }),
    ({ parentId }) => parentId,
  );
  const notes = new Map<string, string>();
  let before: RunSummary | null = null;
  for (const message of path) {
    const { id, parentId } = message;
    const run = getAnswerRun(message);
    if (run === null) continue;
    const runs = (versions.get(parentId) ?? []).map((version) => version.run);
    const [first = run, ...retries] = runs;
    const others = getComparedModels(run, runs);
    if (others.length > 0) {
      notes.set(id, `${run.model} · compared with ${others.join(', ')}`);
      before = run;
      continue;
    }
    const isRetried = retries.some((retry) => isDifferent(retry, first));
    if (isRetried)
      notes.set(id, run.id === first.id ? run.model : `Retried with ${describeModel(run, first)}`);
    else if (before !== null && isDifferent(run, before)) {
      notes.set(id, `Switched to ${describeModel(run, before)}`);
    }
    before = run;
  }
  return notes;
}

function getAnswerRun({ run, importedRun }: TreeMessage): RunSummary | null {
  return run ?? importedRun;
}

/** Returns the models that answered the same message in other columns. */
function getComparedModels(
  { comparisonId, cell }: RunSummary,
  versions: readonly RunSummary[],
): readonly string[] {
  if (comparisonId === null) return [];
  const others = versions.filter((run) => run.comparisonId === comparisonId && run.cell !== cell);
  return [...new Map(others.map((run) => [run.cell, run.model])).values()];
}

function isDifferent(one: RunSummary, other: RunSummary): boolean {
  return one.model !== other.model || one.connectionId !== other.connectionId;
}

function describeModel(
  { model, connectionId, connectionName }: RunSummary,
  other: RunSummary,
): string {
  return connectionId === other.connectionId ? model : `${model} on ${connectionName}`;
}
