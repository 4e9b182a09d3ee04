import { useMemo } from 'react';
import { pluralize } from '../../lib/format-quantity.ts';
import { useRequestView } from '../../run/form/request-views.ts';
import { Button } from '../../ui/button.tsx';
import { findTextProblem, maxText } from './speech-store.ts';
import { splitText } from './split-text.ts';

interface LongTextProps {
  text: string;
  /** True while takes are being started. */
  busy: boolean;
  /** Undefined if the form has other errors. */
  onSplit: ((parts: string[]) => void) | undefined;
}

/** Offers to speak a text that is over the limit as several takes, in every view of the request. */
export function LongText({ text, busy, onSplit }: LongTextProps) {
  const view = useRequestView('speech');
  const problem = findTextProblem(text);
  const parts = useMemo(() => (problem === null ? [] : splitText(text, maxText)), [problem, text]);
  if (problem === null) return null;
  return (
    <div className="row-8 fixed caption">
      {/* The form shows the problem below the field. */}
      {view !== 'form' && <span>{problem}</span>}
      <Button
        size="small"
        busy={busy}
        disabledReason={onSplit === undefined ? 'Fix the other errors first.' : null}
        onClick={() => onSplit?.(parts)}
      >
        Split into {pluralize(parts.length, 'take')}
      </Button>
      <span className="hint">Splits at sentences and runs each part.</span>
    </div>
  );
}
