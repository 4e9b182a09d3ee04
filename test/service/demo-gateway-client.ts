import { afterAll } from 'vitest';
import {
  type DemoGateway,
  type DemoGatewayOptions,
  startDemoGateway,
} from '../../electron/demo/server.ts';

export const KEY = 'test-key';

export interface Client {
  gateway: DemoGateway;
  get: (path: string) => Promise<Response>;
  post: (path: string, body: unknown, signal?: AbortSignal) => Promise<Response>;
  chat: (body: Record<string, unknown>) => Promise<ChatReply>;
  frames: (path: string, body: Record<string, unknown>) => Promise<Frames>;
}

export interface ChatReply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: replies are read as a foreign client would
  body: any;
}

export interface Frames {
  // biome-ignore lint/suspicious/noExplicitAny: chunks are read as a foreign client would
  chunks: any[];
  comments: string[];
  done: boolean;
}

/** Starts the demo gateway with a client that shares no code with the app. */
export async function startWithClient(options: Partial<DemoGatewayOptions> = {}): Promise<Client> {
  const gateway = await startDemoGateway({ port: 0, key: KEY, speed: 1000, ...options });
  const headers = { authorization: `Bearer ${KEY}` };
  const post: Client['post'] = (path, body, signal) =>
    fetch(gateway.baseUrl + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(signal && { signal }),
    });
  return {
    gateway,
    get: (path) => fetch(gateway.baseUrl + path, { headers }),
    post,
    chat: async (body) => {
      const response = await post('/v1/chat/completions', body);
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
    frames: async (path, body) => {
      const response = await post(path, { ...body, stream: true });
      const frames: Frames = { chunks: [], comments: [], done: false };
      for (const frame of (await response.text()).split('\n\n').filter((text) => text !== '')) {
        if (frame.startsWith(':')) frames.comments.push(frame);
        else if (frame === 'data: [DONE]') frames.done = true;
        else if (frame.startsWith('data: ')) frames.chunks.push(JSON.parse(frame.slice(6)));
        else throw new Error(`Not a frame: ${frame}`);
      }
      return frames;
    },
  };
}

/** Shares one gateway and client among the tests of a file. */
export async function shareClient(options?: Partial<DemoGatewayOptions>): Promise<Client> {
  const client = await startWithClient(options);
  afterAll(() => client.gateway.close());
  return client;
}

// biome-ignore lint/suspicious/noExplicitAny: replies are read as a foreign client would
export const readJson = async (response: Response): Promise<any> => response.json();

export function user(content: unknown) {
  return { role: 'user', content };
}
