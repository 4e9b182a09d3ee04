import type { ReactNode } from 'react';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { useFocusPassing } from '../../ui/pass-focus.ts';
import { useRequestView } from '../form/request-views.ts';
import { type RunBlock, showRunBlock } from '../form/run-block.ts';
import { useForm } from '../form/use-form.ts';
import type { ViewedRequest } from './viewed-request.ts';
import styles from './views.module.css';

interface RequestFieldsProps {
  viewed: ViewedRequest;
  /** Why the request can't be sent yet; null if it can. */
  blocked: RunBlock | null;
  /** Why there's no code yet, if that differs from `blocked`. */
  codeBlocked?: RunBlock | null;
  onRun: () => void;
  /** Controls below the JSON or the code, such as a Run button that is part of the form. */
  footer?: ReactNode;
  className?: string | undefined;
  children?: ReactNode;
}

const JsonFields = lazyComponent(async () => (await import('./json-fields.tsx')).JsonFields);
const CodeFields = lazyComponent(async () => (await import('./code-fields.tsx')).CodeFields);

/** Shows the fields of a request as a form, as JSON or as code. */
export function RequestFields(props: RequestFieldsProps) {
  const { viewed, blocked, codeBlocked = blocked, onRun, footer, className, children } = props;
  const view = useRequestView(viewed.form.operation);
  const isComparing = useForm(viewed.form, ({ comparing }) => comparing);
  if (view === 'form') return <Place key="form">{children}</Place>;
  const fields = (
    <>
      {isComparing && (
        <p className="hint">
          This is the form’s request. Each variant sends it with its own changes.
        </p>
      )}
      {view === 'json' ? (
        <JsonFields viewed={viewed} onRun={blocked === null ? onRun : showRunBlock} />
      ) : (
        <CodeFields viewed={viewed} blockedReason={codeBlocked?.reason ?? null} />
      )}
    </>
  );
  return (
    <Place key={view}>
      {className === undefined ? (
        fields
      ) : (
        <div className={className}>
          {fields}
          {footer}
        </div>
      )}
    </Place>
  );
}

/** Moves focus to the chosen view if the focused view is gone. */
function Place({ children }: { children: ReactNode }) {
  const passesFocus = useFocusPassing<HTMLDivElement>();
  return (
    <div ref={passesFocus} className={styles.place} data-own-fallback="view">
      {children}
    </div>
  );
}
