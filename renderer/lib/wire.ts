import { CONNECT_CHANNEL } from '../../shared/connect-channel.ts';

/** What oRPC's link sends over and listens on. */
export interface WirePort {
  onMessage: { addListener: (listener: (message: unknown) => void) => void };
  onDisconnect: { addListener: (listener: () => void) => void };
  postMessage: (message: string) => void;
}

/** One connection to main, from its opening until it closes; another is made after that. */
export interface Wire {
  port: WirePort;
  /** Called once the link listens. Resolves when calls can be sent, rejects when it never opened. */
  open: () => Promise<void>;
  /** Resolves when the wire is gone. */
  closed: Promise<void>;
}

/** The desktop: the preload hands our port on to main. */
export function portWire(): Wire {
  const { port1, port2 } = new MessageChannel();
  return {
    port: listening(port1, (message) => port1.postMessage(message)),
    open: async () => {
      port1.start();
      window.postMessage(CONNECT_CHANNEL, '/', [port2]);
    },
    closed: new Promise((resolve) => port1.addEventListener('close', () => resolve())),
  };
}

/** The browser host: the same messages over a WebSocket of the page's own origin. */
export function socketWire(url: string): Wire {
  const socket = new WebSocket(url);
  const opened = new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('close', () => reject(new Error('The socket did not open')));
  });
  // Asked for later, by `open`; until then its refusal is nobody's unhandled rejection.
  opened.catch(() => {});
  return {
    port: listening(socket, (message) => {
      if (socket.readyState !== WebSocket.OPEN) throw new Error('The socket is not open');
      socket.send(message);
    }),
    open: () => opened,
    closed: new Promise((resolve) => socket.addEventListener('close', () => resolve())),
  };
}

function listening(target: EventTarget, postMessage: (message: string) => void): WirePort {
  return {
    onMessage: {
      addListener: (listener) =>
        target.addEventListener('message', (event) => {
          if (event instanceof MessageEvent) listener(event.data);
        }),
    },
    onDisconnect: { addListener: (listener) => target.addEventListener('close', listener) },
    postMessage,
  };
}
