import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { JsonValue } from '../../../shared/json.ts';
import type { CodeResponse } from '../../../shared/operations/operation.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { operations } from '../../../shared/operations/operations.ts';
import { parseJson } from '../../../shared/parse-json.ts';
import { toAppError } from '../../lib/app-error.ts';
import { pause } from '../../lib/pause.ts';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { CodePane } from '../code/code-pane.tsx';
import type { Preview, ViewedRequest } from './viewed-request.ts';
import styles from './views.module.css';

/** While the user types, only the last request is built. */
const TYPING_PAUSE_MS = 80;

interface CodeFieldsProps {
  viewed: ViewedRequest;
  blockedReason: string | null;
}

/** Shows code that sends the request of the form. */
export function CodeFields({ viewed, blockedReason }: CodeFieldsProps) {
  const { preview, described } = viewed;
  const reason = blockedReason ?? ('blocked' in preview ? preview.blocked : null);
  return (
    <section className={styles.view} aria-label="Request as code">
      {reason !== null || 'blocked' in preview ? (
        <div className={styles.frame}>
          <EmptyState title="No code yet">{reason}</EmptyState>
        </div>
      ) : (
        <div className={classNames(styles.frame, styles.code)}>
          <BuiltCode preview={preview} operation={described.name} />
        </div>
      )}
    </section>
  );
}

interface BuiltCodeProps {
  preview: Exclude<Preview, { blocked: string }>;
  operation: OperationName;
}

function BuiltCode({ preview, operation }: BuiltCodeProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['request-code', ...preview.key],
    queryFn: async ({ signal }) => {
      await pause(TYPING_PAUSE_MS, signal);
      signal.throwIfAborted();
      return preview.load(signal);
    },
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  if (error !== null) {
    return <ErrorAlert error={toAppError(error)} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <Spinner label="Loading request" />;
  const response = getResponse(operation, parseJson(data.body ?? '') ?? null);
  return <CodePane sent={data} response={response} />;
}

function getResponse<Name extends OperationName>(name: Name, sent: JsonValue): CodeResponse {
  const { codeResponse, initialState } = operations[name];
  return codeResponse(initialState, sent);
}
