/** Compares the times of tokens in a load of 200 users with those of a handwritten client; prints JSON. */
import { Agent, request } from 'node:http';
import { loadInputSchema } from '../../../shared/checks/check.ts';
import { interleave, percentile } from '../harness/rounds.ts';
import { openBenchHome, startGateway } from './bench-home.ts';

const USERS = 200;
/** The requests of each user; the first one is a warm-up. */
const TURNS = 4;
const MODEL = 'rate-20-60';
/** Answers of equal length all end at once, which is the worst case. */
const LENGTHS = { equal: () => 60, varied: (user: number) => 30 + ((user * 37) % 61) };
type Lengths = keyof typeof LENGTHS;

const gateway = await startGateway('stream');
const home = await openBenchHome(gateway.origin);
const { checks, ledger } = home.services;

/** When the gateway wrote a token, and when the client had read it, by the client's clock. */
interface Token {
  writtenAt: number;
  readAt: number;
}

/** Returns the Unix milliseconds that the gateway wrote into a token, or null. */
function readStamp(data: string): number | null {
  const [, stamp] = / (\d{13}\.\d)-\d+;/.exec(data) ?? [];
  return stamp === undefined ? null : Number(stamp);
}

/** Returns how much longer each token of an answer took than the fastest one. */
function listDelays(tokens: readonly Token[]): number[] {
  const times = tokens.map(({ writtenAt, readAt }) => readAt - writtenAt);
  const least = Math.min(...times);
  return times.map((time) => time - least);
}

function chat(agent: Agent, maxTokens: number): Promise<Token[]> {
  return new Promise((resolve, reject) => {
    const tokens: Token[] = [];
    let rest = '';
    const sent = request(
      `${gateway.origin}/v1/chat/completions`,
      { method: 'POST', agent },
      (response) => {
        response.setEncoding('utf8');
        response.on('data', (piece: string) => {
          rest += piece;
          let from = 0;
          for (let at = rest.indexOf('\n\n'); at !== -1; at = rest.indexOf('\n\n', from)) {
            const data = rest.slice(from + 'data: '.length, at);
            from = at + 2;
            if (data === '[DONE]') continue;
            const writtenAt = readStamp(JSON.parse(data).choices[0].delta.content);
            if (writtenAt !== null) tokens.push({ writtenAt, readAt: performance.now() });
          }
          rest = rest.slice(from);
        });
        response.on('end', () => resolve(tokens));
      },
    );
    sent.on('error', reject);
    sent.end(JSON.stringify({ model: MODEL, max_tokens: maxTokens, stream: true, messages: [] }));
  });
}

const summarize = (delays: readonly number[]) => ({ p95Ms: percentile(delays, 95) });

async function byHand(lengths: Lengths) {
  const agent = new Agent({ keepAlive: true, maxSockets: USERS });
  const users = Array.from({ length: USERS }, async (_, user) => {
    const delays: number[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const tokens = await chat(agent, LENGTHS[lengths](user + turn));
      if (turn > 0) delays.push(...listDelays(tokens));
    }
    return delays;
  });
  const delays = (await Promise.all(users)).flat();
  agent.destroy();
  return summarize(delays);
}

async function ours(lengths: Lengths) {
  const input = {
    kind: 'load',
    connectionId: 'environment',
    models: [MODEL],
    operation: 'chat',
    requests: Array.from({ length: USERS + 1 }, (_, user) => ({
      messages: [{ role: 'user', content: 'x' }],
      stream: true,
      max_tokens: LENGTHS[lengths](user),
    })),
    extraBody: {},
    wireNames: {},
    stages: [{ atOnce: USERS, requests: USERS * (TURNS - 1) }],
    warmup: 1,
    limits: { requests: null, seconds: null, cost: null, errorShare: null },
    target: null,
  };
  const id = await checks.start(loadInputSchema.parse(input));
  for await (const { progress } of checks.watch(id, undefined)) {
    if (progress.state !== 'running') break;
  }
  const delays: number[] = [];
  for (const comparisonId of checks.get(id).body.comparisonIds) {
    for (const { id: runId, cell } of ledger.getAttempts(comparisonId, null)) {
      if (cell !== null && cell >= USERS) delays.push(...listDelays(readTokens(runId)));
    }
  }
  return summarize(delays);
}

function readTokens(runId: string): Token[] {
  const query = { after: -1, kinds: ['chunk' as const], exchange: null };
  return [...ledger.readEvents(runId, query)].flatMap((event) => {
    const writtenAt = event.kind === 'chunk' ? readStamp(event.data) : null;
    return writtenAt === null ? [] : [{ writtenAt, readAt: event.atMs }];
  });
}

const measure = (lengths: Lengths) =>
  interleave({ hand: () => byHand(lengths), ours: () => ours(lengths) });
console.log(JSON.stringify({ equal: await measure('equal'), varied: await measure('varied') }));
await home.close();
process.exit(0);
