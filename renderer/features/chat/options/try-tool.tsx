import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isJsonObject, isSameJson, type JsonObject } from '../../../../shared/json.ts';
import { parseJson } from '../../../../shared/parse-json.ts';
import type { ToolAnswer } from '../../../../shared/tool-answer.ts';
import { api } from '../../../lib/api.ts';
import { toAppError } from '../../../lib/app-error.ts';
import { findJsonProblem } from '../../../lib/format-json-error.ts';
import { ActionBar } from '../../../ui/action-bar.tsx';
import { Button } from '../../../ui/button.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { PlayIcon } from '../../../ui/icons/actions.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import styles from './call-record.module.css';
import { CallRecordView } from './call-record.tsx';

type OwnAnswer = Exclude<ToolAnswer, { by: 'you' }>;

interface TriedCall {
  answer: OwnAnswer;
  args: JsonObject;
}

interface TryToolProps {
  answer: OwnAnswer;
  exampleArguments: string;
  /** Why the answer can’t be tried; null if it can. */
  problem: string | null;
}

/** Runs an unsaved answer with the user's arguments, and shows what a model would receive. */
export function TryTool({ answer, exampleArguments, problem }: TryToolProps) {
  const [text, setText] = useState(exampleArguments);
  const args = parseJson(text);
  const argumentsProblem = isJsonObject(args)
    ? null
    : (findJsonProblem(text)?.message ?? 'Enter a JSON object.');
  const tried = useMutation({ mutationFn: (call: TriedCall) => api.tools.try(call) });
  const isCurrent = isSameJson(tried.variables?.answer, answer);

  return (
    <div className="stack-8">
      <TextArea
        label="Arguments to try"
        monospace
        autoGrow
        rows={1}
        maxRows={6}
        spellCheck={false}
        error={argumentsProblem}
        value={text}
        onValueChange={setText}
      />
      <ActionBar>
        <Button
          size="small"
          icon={<PlayIcon size={14} />}
          busy={tried.isPending}
          disabledReason={problem ?? argumentsProblem}
          onClick={() => isJsonObject(args) && tried.mutate({ answer, args })}
        >
          Try
        </Button>
      </ActionBar>
      {tried.error !== null && <ErrorAlert error={toAppError(tried.error)} compact />}
      {tried.data !== undefined && isCurrent && (
        <section
          ref={bringIntoView}
          className="stack-4"
          aria-label="Tried result"
          aria-live="polite"
        >
          <CallRecordView
            record={{ ...tried.data, by: answer.by, server: null, call: null, misfit: null }}
          />
          <pre className={styles.console}>{tried.data.content}</pre>
        </section>
      )}
    </div>
  );
}

function bringIntoView(element: Element | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
