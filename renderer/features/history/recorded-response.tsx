import { useMemo } from 'react';
import type { RunResponse } from '../../../shared/operations/operation.ts';
import { isFinished } from '../../../shared/run.ts';
import { getResponse } from '../../../shared/run-view.ts';
import { getMediaTitle } from '../../media/players/describe-media.ts';
import { MediaView } from '../../media/players/media-view.tsx';
import { AnswerContent } from '../../run/body/answer-content.tsx';
import { readJsonAnswer } from '../../run/body/answer-json.ts';
import { useRunView } from '../../run/live/live-runs.ts';
import { classNames } from '../../ui/class-names.ts';
import { JsonView } from '../../ui/json-view/json-view.tsx';
import { RecordedText } from './recorded-request.tsx';
import styles from './run-record.module.css';

type Section = RunResponse['sections'][number];

export function RecordedResponse({ runId }: { runId: string }) {
  const view = useRunView(runId);
  const response = useMemo(() => (view === null ? null : getResponse(view)), [view]);
  if (view === null || response === null) return null;
  const { text, media } = response;
  const sections = response.sections.length > 0 ? response.sections : getPlainSections(text);
  if (sections.length === 0 && media.length === 0) return null;
  return (
    <section className="stack-8" aria-label="Recorded response">
      <h3 className="heading">Response</h3>
      {media.map((item) => (
        <MediaView key={item.id} media={item} title={getMediaTitle(item)} />
      ))}
      {sections.map((section) => (
        <div key={section.title} className={styles.response}>
          {sections.length > 1 && (
            <h4 className={classNames(styles.role, 'hint')}>{section.title}</h4>
          )}
          <SectionText section={section} running={!isFinished(view.status)} />
        </div>
      ))}
    </section>
  );
}

function getPlainSections(text: string): Section[] {
  return text === '' ? [] : [{ title: 'Text', text, format: 'plain' }];
}

function SectionText({
  section: { text, format },
  running,
}: {
  section: Section;
  running: boolean;
}) {
  const json = useMemo(
    () => (running || format === 'markdown' ? null : readJsonAnswer(text)),
    [running, format, text],
  );
  if (format === 'markdown') return <AnswerContent text={text} running={running} />;
  if (json !== null) return <JsonView label="Response" value={json.value} source={json.source} />;
  return <RecordedText text={text} />;
}
