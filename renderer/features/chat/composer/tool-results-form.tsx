import { useEffect, useRef } from 'react';
import type { ToolCall } from '../../../../shared/operations/chat/message.ts';
import { formatCount } from '../../../lib/format-quantity.ts';
import { showRunBlock } from '../../../run/form/run-block.ts';
import { useForm, useIsLoaded } from '../../../run/form/use-form.ts';
import { ActionBar } from '../../../ui/action-bar.tsx';
import { Button } from '../../../ui/button.tsx';
import { WarningIcon } from '../../../ui/icons/status.tsx';
import { useFocusPassing } from '../../../ui/pass-focus.ts';
import { TextArea } from '../../../ui/text-area.tsx';
import { useFirstItems } from '../../../ui/use-first-items.tsx';
import type { MissingResults } from '../conversation/chat-store.ts';
import type { ComposerForm } from '../conversation/composer-form.ts';
import {
  getResult,
  type OpenToolCalls,
  splitResults,
  typeResult,
} from '../session/open-tool-calls.ts';
import styles from './tool-results-form.module.css';

interface ToolResultsFormProps {
  /** Distinguishes the forms of several columns. */
  label?: string;
  form: ComposerForm;
  calls: OpenToolCalls;
  /** If set, marks calls without a result and focuses the first empty field. */
  warned: MissingResults | null;
  blockedReason: string | null;
  onRun: (insist: boolean) => void;
  /** Lets tools answer their calls; null if only the user can answer. */
  onContinue: (() => void) | null;
  /** The request limit of a turn that has reached it; null otherwise. */
  limit?: number | null;
  onTyped: () => void;
}

export function ToolResultsForm(props: ToolResultsFormProps) {
  const {
    label = 'Tool results',
    form,
    calls: open,
    warned,
    blockedReason,
    onRun,
    onContinue,
    limit = null,
    onTyped,
  } = props;
  const isLoaded = useIsLoaded(form);
  const typed = useForm(form, ({ results }) => results);
  const calls = open.map(({ call }) => call);
  const { missing } = splitResults(open, typed);
  const { first, more } = useFirstItems(open, 'tool calls');
  const warns = warned !== null;
  const fields = useRef<HTMLFormElement>(null);
  // A warning from before the form mounted must not move focus.
  const known = useRef(warned);
  useEffect(() => {
    if (warned === known.current) return;
    known.current = warned;
    fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [warned]);
  return (
    <form
      ref={useFocusPassing(fields)}
      data-focus-fallback="run"
      className={`stack-12 ${styles.results}`}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        onRun(false);
      }}
    >
      {limit !== null && (
        <p className="caption" role="status">
          This turn reached its limit of {limit} requests.
          {onContinue !== null && ' Let tools answer to continue.'}
        </p>
      )}
      {first.map((openCall) => {
        const { call, resultName } = openCall;
        const isMissing = warns && missing.includes(call);
        return (
          <TextArea
            key={resultName}
            label={`Result for ${describeCall(call, calls)}`}
            placeholder="Tool result (text or JSON)"
            error={isMissing ? 'Enter a result.' : null}
            monospace
            readOnly={!isLoaded}
            autoGrow
            rows={2}
            value={getResult(openCall, typed)}
            onValueChange={(text) => {
              typeResult(form, resultName, text);
              onTyped();
            }}
          />
        );
      })}
      {more !== null && <div>{more}</div>}
      {warns && missing.length > 0 && (
        <p className={styles.missing} role="alert">
          <WarningIcon size={14} />
          {describeCalls(missing, calls)}{' '}
          {missing.length === 1 ? 'has no result' : 'have no results'}. Most gateways will reject
          this request.
        </p>
      )}
      <ActionBar>
        <Button type="submit" disabledReason={blockedReason} onBlocked={showRunBlock}>
          Send {calls.length === 1 ? 'this result' : 'these results'}
        </Button>
        {onContinue !== null && (
          <Button disabledReason={blockedReason} onBlocked={showRunBlock} onClick={onContinue}>
            Let tools answer
          </Button>
        )}
        {warns && missing.length > 0 && (
          <Button
            variant="quiet"
            disabledReason={blockedReason}
            onBlocked={showRunBlock}
            onClick={() => onRun(true)}
          >
            Send anyway
          </Button>
        )}
      </ActionBar>
    </form>
  );
}

const MAX_NAMED = 5;

function describeCalls(missing: readonly ToolCall[], calls: readonly ToolCall[]): string {
  const names = missing.slice(0, MAX_NAMED).map((call) => describeCall(call, calls));
  const left = missing.length - names.length;
  return left === 0 ? names.join(', ') : `${names.join(', ')} and ${formatCount(left)} more`;
}

/** Adds the call ID if several calls have the same name. */
function describeCall(call: ToolCall, calls: readonly ToolCall[]): string {
  const { name } = call.function;
  const isAlone = calls.filter((other) => other.function.name === name).length === 1;
  return isAlone ? name : `${name} ${call.id}`;
}
