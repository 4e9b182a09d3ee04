/** Acts as a page without a browser, over the RPC contract and the media routes. */
import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import type { WebSocket } from 'ws';
import type { AppContract } from '../../shared/contract/contract.ts';
import { applyPatch } from '../../shared/patch.ts';
import type { RunView } from '../../shared/run-view.ts';
import { joinUpdates } from '../../shared/update-parts.ts';
import { linkOver, openSocket, type Session } from '../fixtures/page-socket.ts';

export interface OpenPage {
  api: ContractRouterClient<AppContract>;
  socket: WebSocket;
  /** Sends a request. Rejects if the response is an error. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Calls `onView` with each view of the run until it has ended. */
  follow(runId: string, onView: (view: RunView) => void): Promise<void>;
  close(): void;
}

export async function openPage(session: Session): Promise<OpenPage> {
  const socket = await openSocket(session);
  const api: OpenPage['api'] = createORPCClient(linkOver(socket));
  return {
    api,
    socket,
    async request(path, init = {}) {
      const { origin, cookie } = session;
      const response = await fetch(`${origin}${path}`, { ...init, headers: { origin, cookie } });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response;
    },
    async follow(runId, onView) {
      let view: RunView | null = null;
      for await (const update of joinUpdates(await api.runs.watch({ id: runId, after: null }))) {
        if (update.type === 'snapshot') view = update.view;
        else if (view?.seq !== update.from) throw new Error(`An update of ${runId} was missed.`);
        else view = { ...applyPatch(view, update.patch), seq: update.to };
        onView(view);
      }
    },
    close: () => socket.terminate(),
  };
}
