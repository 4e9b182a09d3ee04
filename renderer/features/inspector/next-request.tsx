import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { isJsonObject } from '../../../shared/json.ts';
import { countProviderFields } from '../../../shared/operations/chat/history.ts';
import { emptyChatState } from '../../../shared/operations/chat/state.ts';
import { operations } from '../../../shared/operations/operations.ts';
import { parseJson } from '../../../shared/parse-json.ts';
import type { SentRequest } from '../../../shared/run.ts';
import { api, orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { type InspectorTab, setInspectorTab, useLayout } from '../../lib/layout.ts';
import { pause } from '../../lib/pause.ts';
import { CodePane } from '../../run/code/code-pane.tsx';
import { type NextRequest, useOnScreen } from '../../run/live/on-screen.ts';
import { TokenCount } from '../../run/live/token-count.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import styles from './inspector.module.css';
import { RequestPane } from './request-tab.tsx';

/** Shows the request that the panel would send now, as the main process builds it. */
export function NextRequestDetails() {
  const next = useOnScreen((shown) => shown.next);
  if (next === null) return <Spinner label="Loading request" />;
  if ('blocked' in next) return <EmptyState title="Nothing to send yet">{next.blocked}</EmptyState>;
  return <BuiltRequest next={next} />;
}

/** Wait for a pause in typing, so that only the last draft is requested. */
const TYPING_PAUSE_MS = 80;

interface BuiltRequestProps {
  next: Exclude<NextRequest, { blocked: string }>;
}

function BuiltRequest({ next: { input, basis, note } }: BuiltRequestProps) {
  const tab = useLayout((layout) => layout.inspectorTab);
  const { data, error, refetch } = useQuery({
    queryKey: [...orpc.conversations.nextRequest.key(), input, basis],
    queryFn: async ({ signal }) => {
      await pause(TYPING_PAUSE_MS, signal);
      signal.throwIfAborted();
      return api.conversations.nextRequest(input, { signal });
    },
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const notes = useMemo(
    () => [...(data === undefined ? [] : describeFields(data)), ...(note === null ? [] : [note])],
    [data, note],
  );
  if (error !== null) {
    return (
      <div className={styles.notice}>
        <ErrorAlert error={toAppError(error)} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (data === undefined) return <Spinner label="Loading request" />;
  return (
    <Tabs<InspectorTab>
      label="Next request"
      value={tab === 'code' ? 'code' : 'request'}
      onValueChange={setInspectorTab}
      trailing={
        <span className="row-8">
          <TokenCount input={input} basis={basis} />
          <span className="hint">Not sent yet</span>
        </span>
      }
      tabs={[
        {
          value: 'request',
          label: 'Request',
          content: <RequestPane sent={data} notes={notes} />,
        },
        { value: 'code', label: 'Code', content: <NextCode sent={data} /> },
      ]}
    />
  );
}

/** Returns one sentence; none if the request has no earlier answers. */
function describeFields({ body }: SentRequest): string[] {
  const parsed = parseJson(body ?? '');
  const listed = isJsonObject(parsed) && Array.isArray(parsed.messages) ? parsed.messages : [];
  const messages = listed.filter(isJsonObject);
  if (!messages.some(({ role }) => role === 'assistant')) return [];
  const { reasoning, calls, audio } = countProviderFields(messages);
  const sent = [
    ...(reasoning > 0 ? [`reasoning of ${pluralize(reasoning, 'answer')}`] : []),
    ...(calls > 0 ? [`provider fields of ${pluralize(calls, 'tool call')}`] : []),
    ...(audio > 0 ? [`${pluralize(audio, 'spoken answer')} by ID`] : []),
  ];
  return [`Includes ${sent.length === 0 ? 'no provider fields' : sent.join(', ')}.`];
}

function NextCode({ sent }: { sent: SentRequest }) {
  const body = parseJson(sent.body ?? '') ?? null;
  return <CodePane sent={sent} response={operations.chat.codeResponse(emptyChatState, body)} />;
}
