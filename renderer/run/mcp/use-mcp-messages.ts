import { useEffect, useState } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import type { McpMessage, McpMessageFilter } from '../../../shared/mcp-messages.ts';
import { api } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { pause } from '../../lib/pause.ts';

const POLL_MS = 500;

interface LoadedMessages {
  /** Oldest first; null until the first page has loaded. */
  messages: readonly McpMessage[] | null;
  /** The number of messages dropped to make room for newer ones. */
  droppedCount: number;
  problem: AppError | null;
}

const nothing: LoadedMessages = { messages: null, droppedCount: 0, problem: null };

/** Loads a server's messages page by page, then polls for changes. */
export function useMcpMessages({ id, callId, search }: McpMessageFilter): LoadedMessages {
  const [loaded, setLoaded] = useState(nothing);
  useEffect(() => {
    const stop = new AbortController();
    const follow = async () => {
      let after = 0;
      const byNumber = new Map<number, McpMessage>();
      for (let isFirst = true; !stop.signal.aborted; isFirst = false) {
        const input = { id, callId, search, after };
        const page = await api.mcp.messages(input, { signal: stop.signal });
        for (const message of page.messages) byNumber.set(message.number, message);
        if (isFirst || page.messages.length > 0) {
          const kept = [...byNumber.values()].filter(({ number }) => number >= page.firstNumber);
          const messages = kept.toSorted((one, other) => one.number - other.number);
          setLoaded({ messages, droppedCount: page.firstNumber - 1, problem: null });
        }
        after = page.revision;
        if (!page.more) await pause(POLL_MS, stop.signal);
      }
    };
    setLoaded(nothing);
    follow().catch((cause: unknown) => {
      if (!stop.signal.aborted) setLoaded({ ...nothing, problem: toAppError(cause) });
    });
    return () => stop.abort();
  }, [id, callId, search]);
  return loaded;
}
