import { useMemo, useState } from 'react';
import type { RunEventKind } from '../../../../shared/run.ts';
import { TextPane } from '../../../run/body/text-pane.tsx';
import { useRunView } from '../../../run/live/live-runs.ts';
import { useRunEvents } from '../../../run/live/use-run-events.ts';
import { classNames } from '../../../ui/class-names.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import styles from '../inspector.module.css';
import { type CodeLanguage, codeLanguages, getCode, getCodeResponse } from './code-export.ts';
import { filePaths, keyVariable, toCodeRequest } from './code-export-request.ts';

const kinds: readonly RunEventKind[] = ['request', 'media'];

interface CodeTabProps {
  runId: string;
  exchange: number;
}

export function CodeTab({ runId, exchange }: CodeTabProps) {
  const view = useRunView(runId);
  const { events, problem, retry } = useRunEvents(runId, view?.seq ?? 0, kinds, exchange);
  const [language, setLanguage] = useState<CodeLanguage>('curl');
  const sent = events.find((event) => event.kind === 'request');
  const file = events.findLast((event) => event.kind === 'media');
  const code = useMemo(
    () =>
      sent === undefined || view === null
        ? ''
        : getCode(language, sent, getCodeResponse(view, sent, file?.media ?? null)),
    [sent, view, file, language],
  );
  const files = useMemo(
    () => (sent === undefined ? [] : filePaths(toCodeRequest(sent).body)),
    [sent],
  );

  if (problem !== null) return <ErrorAlert error={problem} onRetry={retry} />;
  if (sent === undefined) return null;
  const label = codeLanguages.find(({ value }) => value === language)?.label ?? language;
  return (
    <TextPane
      label="Code"
      text={code}
      head={
        <div className={classNames(styles.titleRow, 'row-8')}>
          <Segmented
            label="Language"
            value={language}
            options={codeLanguages}
            onValueChange={setLanguage}
          />
          <span className={classNames(styles.note, 'hint grow')}>
            Uses <code>${keyVariable}</code> for the key
            {files.length > 0 && ` and reads ${files.join(', ')} from the current folder`}
          </span>
          <CopyButton label={`Copy ${label}`} content={() => code} />
        </div>
      }
    />
  );
}
