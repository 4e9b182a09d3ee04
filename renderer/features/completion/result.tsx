import type { RunView } from '../../../shared/run-view.ts';
import { RunFigures } from '../../run/frame/run-figures.tsx';
import { RunStatusMark } from '../../run/frame/run-status.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import type { AskedCompletion } from './asked-completion.ts';
import styles from './result.module.css';
import { ResultActions } from './result-actions.tsx';
import { ResultText } from './result-text.tsx';
import { continuationOf, type TextPart } from './text-blocks.ts';
import { useFollowEnd } from './use-follow-end.ts';

interface ResultProps {
  asked: AskedCompletion;
  view: RunView<'completion'>;
  running: boolean;
  choiceIndex: number;
  onChoice: (choiceIndex: number) => void;
  /** The prompt and its continuation. */
  onContinue: (text: string) => void;
  /** Undefined while the form has something to mend. */
  onRetry: (() => void) | undefined;
  onInspect: () => void;
}

/** The prompt as it was sent with its continuation in place, and how the run went. */
export function Result(props: ResultProps) {
  const { asked, view, running, onRetry } = props;
  const { choices, warnings } = view.state;
  const choice = choices[Math.min(props.choiceIndex, choices.length - 1)];
  const continuation = continuationOf(choice?.text ?? '', asked.prompt, asked.echo);
  const parts: TextPart[] = [
    { kind: 'prompt', text: asked.prompt },
    { kind: 'continuation', text: continuation },
    { kind: 'suffix', text: asked.suffix },
  ];
  const { scroller, content } = useFollowEnd(running);
  return (
    <section className={styles.result} aria-label="Result" aria-busy={running}>
      <div className={styles.head}>
        <RunStatusMark status={view.status} />
        <span className={styles.figures}>
          <RunFigures run={view} />
        </span>
        <ResultActions
          choiceCount={choices.length}
          choiceIndex={Math.min(props.choiceIndex, Math.max(0, choices.length - 1))}
          continuation={continuation}
          running={running}
          onChoice={props.onChoice}
          onContinue={() => props.onContinue(asked.prompt + continuation)}
          onInspect={props.onInspect}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without a stop the keyboard cannot scroll it. */}
      <div ref={scroller} className={styles.scroller} tabIndex={0}>
        <div ref={content} className={styles.content}>
          <ResultText parts={parts} />
          {view.error !== null && <ErrorAlert error={view.error} onRetry={onRetry} />}
          {warnings.map((warning) => (
            <p key={warning} className={styles.warning}>
              {warning}
            </p>
          ))}
        </div>
      </div>
    </section>
  );
}
