/** A page without a browser: the contract over its socket and the media routes, as the page's session. */
import { once } from 'node:events';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import type { ContractRouterClient } from '@orpc/contract';
import { WebSocket } from 'ws';
import type { AppContract } from '../../shared/contract/contract.ts';
import { exactNumberCodec } from '../../shared/contract/exact-number-codec.ts';
import { applyPatch } from '../../shared/patch.ts';
import type { RunView } from '../../shared/run-view.ts';

export interface Session {
  origin: string;
  cookie: string;
}

export interface OpenPage {
  api: ContractRouterClient<AppContract>;
  socket: WebSocket;
  /** Throws where it is refused. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Calls `onView` with each view of the run until it has ended, as the page folds its updates. */
  follow(runId: string, onView: (view: RunView) => void): Promise<void>;
  close(): void;
}

/** `address` works once; the session opens any number of pages. */
export async function signIn(address: string): Promise<Session> {
  const response = await fetch(address, { redirect: 'manual' });
  await response.text();
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0];
  if (cookie === undefined) throw new Error(`${address} gave no cookie.`);
  return { origin: new URL(address).origin, cookie };
}

export async function openSocket({ origin, cookie }: Session): Promise<WebSocket> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/rpc`, {
    origin,
    headers: { cookie },
  });
  socket.on('error', () => undefined);
  await once(socket, 'open');
  return socket;
}

export async function openPage(session: Session): Promise<OpenPage> {
  const socket = await openSocket(session);
  // `ws` has all that the link uses; only the types of its listeners differ from the page's.
  const websocket = socket as unknown as globalThis.WebSocket;
  const api: OpenPage['api'] = createORPCClient(
    new RPCLink({ websocket, customJsonSerializers: [exactNumberCodec] }),
  );
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
      for await (const update of await api.runs.watch({ id: runId, after: null })) {
        if (update.type === 'snapshot') view = update.view;
        else if (view?.seq !== update.from) throw new Error(`An update of ${runId} was missed.`);
        else view = { ...applyPatch(view, update.patch), seq: update.to };
        onView(view);
      }
    },
    close: () => socket.terminate(),
  };
}
