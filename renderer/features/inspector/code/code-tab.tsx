import { useMemo, useState } from 'react';
import type { RunEventKind, RunEventOf } from '../../../../shared/run.ts';
import { LineScroller } from '../../../run/body/line-scroller.tsx';
import { textLines } from '../../../run/body/text-lines.ts';
import { useAnyRun } from '../../../run/live/live-runs.ts';
import { useRunEvents } from '../../../run/live/use-run-events.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Select } from '../../../ui/select.tsx';
import styles from '../parts.module.css';
import { type CodeLanguage, codeLanguages, codeOf, codeReplyOf } from './code-export.ts';
import { filePaths, keyVariable, toCodeRequest } from './code-export-request.ts';

const kinds: readonly RunEventKind[] = ['request'];

/** The request as code to run elsewhere. */
export function CodeTab({ runId }: { runId: string }) {
  const view = useAnyRun(runId);
  const { events, problem, retry } = useRunEvents(runId, view?.seq ?? 0, kinds);
  const [language, setLanguage] = useState<CodeLanguage>('curl');
  const [chosen, setChosen] = useState('0');
  const requests = useMemo(() => differentRequests(events), [events]);
  const sent = requests[Number(chosen)] ?? requests[0];
  const code = useMemo(
    () =>
      sent === undefined || view === null ? '' : codeOf(language, sent, codeReplyOf(view, sent)),
    [sent, view, language],
  );
  const files = useMemo(
    () => (sent === undefined ? [] : filePaths(toCodeRequest(sent).body)),
    [sent],
  );

  if (problem !== null) return <ErrorAlert error={problem} onRetry={retry} />;
  if (sent === undefined) {
    return view?.seq === 0 ? <EmptyState title="Nothing was sent yet" /> : null;
  }
  const label = codeLanguages.find(({ value }) => value === language)?.label ?? language;
  return (
    <LineScroller
      label="Code"
      lines={textLines(code)}
      head={
        <div className={styles.titleRow}>
          <Segmented
            label="Language"
            value={language}
            options={codeLanguages}
            onValueChange={setLanguage}
          />
          {requests.length > 1 && (
            <Select
              label="Request of the run"
              hideLabel
              value={chosen}
              options={requests.map(({ method, url }, at) => ({
                value: String(at),
                label: `${method} ${new URL(url).pathname}`,
              }))}
              onValueChange={setChosen}
            />
          )}
          <span className={styles.note}>
            reads the key from <code>${keyVariable}</code>
            {files.length > 0 && ` and ${files.join(', ')} from the folder it runs in`}
          </span>
          <CopyButton label={`Copy ${label}`} content={() => code} />
        </div>
      }
    />
  );
}

/** A video task is asked about many times with the same words. */
function differentRequests(events: readonly { kind: string }[]): RunEventOf<'request'>[] {
  const requests = new Map<string, RunEventOf<'request'>>();
  for (const event of events.filter(isRequest)) {
    const target = `${event.method} ${event.url}`;
    if (!requests.has(target)) requests.set(target, event);
  }
  return [...requests.values()];
}

function isRequest(event: { kind: string }): event is RunEventOf<'request'> {
  return event.kind === 'request';
}
