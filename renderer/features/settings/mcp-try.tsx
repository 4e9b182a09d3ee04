import { useMutation } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { isJsonObject, toJson } from '../../../shared/json.ts';
import type { McpTool, TriedTool } from '../../../shared/mcp.ts';
import { type ContentPart, getMediaId } from '../../../shared/operations/chat/message.ts';
import { parseJson } from '../../../shared/parse-json.ts';
import { api } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { formatDuration } from '../../lib/format-quantity.ts';
import { getMediaTitle } from '../../media/players/describe-media.ts';
import { MediaView } from '../../media/players/media-view.tsx';
import { useMedia } from '../../media/players/use-media.ts';
import { RunningCall } from '../../run/mcp/call-progress.tsx';
import { MessagesDialog } from '../../run/mcp/messages-dialog.tsx';
import { SchemaForm, useSchemaDraft } from '../../run/mcp/schema-form.tsx';
import { ActionBar } from '../../ui/action-bar.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { PlayIcon, StopIcon } from '../../ui/icons/actions.tsx';
import { ErrorIcon, WarningIcon } from '../../ui/icons/status.tsx';
import { JsonView } from '../../ui/json-view/json-view.tsx';
import styles from './mcp.module.css';

interface McpTryProps {
  serverId: string;
  server: string;
  tool: McpTool;
}

/** Calls a tool with arguments that the user enters, and shows what a model would receive. */
export function McpTry({ serverId, server, tool: { name, inputSchema } }: McpTryProps) {
  const draft = useSchemaDraft(inputSchema);
  const [callId, setCallId] = useState<string | null>(null);
  const [showsMessages, setShowsMessages] = useState(false);
  const stop = useRef<AbortController>(null);
  const tried = useMutation({
    mutationFn: (id: string) => {
      stop.current = new AbortController();
      const input = { id: serverId, name, args: draft.values, callId: id };
      return api.mcp.try(input, { signal: stop.current.signal });
    },
  });
  const call = () => {
    const id = crypto.randomUUID();
    setCallId(id);
    tried.mutate(id);
  };
  // Nobody could see its result.
  useEffect(() => () => stop.current?.abort(), []);
  const stopCall = () => {
    stop.current?.abort();
    tried.reset();
  };
  return (
    <div className="stack-12">
      <SchemaForm label={`Arguments of ${name}`} draft={draft} />
      <ActionBar>
        {tried.isPending ? (
          <Button size="small" icon={<StopIcon size={14} />} onClick={stopCall}>
            Stop
          </Button>
        ) : (
          <Button
            size="small"
            icon={<PlayIcon size={14} />}
            disabledReason={draft.problem}
            onClick={call}
          >
            Call tool
          </Button>
        )}
        {callId !== null && (
          <Button size="small" variant="quiet" onClick={() => setShowsMessages(true)}>
            Messages
          </Button>
        )}
      </ActionBar>
      {tried.isPending && (
        <RunningCall subject={name} call={callId === null ? null : { serverId, callId }} />
      )}
      {tried.error !== null && <ErrorAlert compact error={toAppError(tried.error)} />}
      {tried.data !== undefined && <TriedResult name={name} tried={tried.data} />}
      {showsMessages && (
        <MessagesDialog
          serverId={serverId}
          server={server}
          callId={callId}
          onClose={() => setShowsMessages(false)}
        />
      )}
    </div>
  );
}

function TriedResult({ name, tried }: { name: string; tried: TriedTool }) {
  const { content, isError, misfit, durationMs } = tried;
  const parts = useMemo(
    (): ContentPart[] =>
      typeof content === 'string' ? [{ type: 'text', text: content }] : content,
    [content],
  );
  return (
    <section className="stack-8" aria-label={`Result of ${name}`} aria-live="polite">
      <p className="wrap-8 caption">
        <span className="hint">{formatDuration(durationMs)}</span>
        {isError && (
          <span className={styles.failed}>
            <ErrorIcon size={12} /> Failed
          </span>
        )}
        {misfit !== null && (
          <span className={styles.misfit}>
            <WarningIcon size={12} /> {`Doesn’t fit the output schema. ${misfit}`}
          </span>
        )}
      </p>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their order.
        <ResultPart key={index} part={part} />
      ))}
    </section>
  );
}

function ResultPart({ part }: { part: ContentPart }) {
  const { media } = useMedia(getMediaId(part));
  const value = useMemo(() => (part.type === 'text' ? parseJson(part.text) : toJson(part)), [part]);
  if (media !== null) return <MediaView media={media} title={getMediaTitle(media)} />;
  if (part.type !== 'text') return <JsonView label="Result" value={value ?? null} />;
  if (Array.isArray(value) || isJsonObject(value)) {
    return <JsonView label="Result" value={value} source={part.text} />;
  }
  return <pre className={styles.log}>{part.text}</pre>;
}
