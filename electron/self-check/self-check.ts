/** Runs the `--self-check` checks and prints the result as one JSON document. */
import { arch, release } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** The time limit applies to all checks together. CI allows for slow machines. */
export const SELF_CHECK_MS = Number(process.env.GATEHOUSE_SELF_CHECK_MS) || 10_000;

export interface SelfCheckStep {
  name: string;
  /** Adjacent checks that run in their own threads run in parallel. */
  isThreaded?: boolean;
  /** Throws if the check fails, and returns details for the report or null. */
  run(signal: AbortSignal): Promise<string | null>;
}

export interface CheckResult {
  name: string;
  ok: boolean;
  took: number;
  detail: string | null;
}

export interface SelfCheck {
  ok: boolean;
  gatehouse: string;
  host: 'desktop' | 'browser';
  system: string;
  versions: Record<'electron' | 'chromium' | 'node' | 'sqlite', string | null>;
  took: number;
  checks: CheckResult[];
}

export interface SelfCheckOptions extends Pick<SelfCheck, 'gatehouse' | 'host'> {
  checks: readonly SelfCheckStep[];
  /** Checks that haven't ended by then fail. */
  limitMs: number;
  clock?: () => number;
}

export interface FinishedSelfCheck {
  report: SelfCheck;
  /** Never rejects, and waits at most two seconds. */
  close(): Promise<void>;
}

const CLOSE_MS = 2000;

/** Closes in reverse order and ignores errors. */
export function finishSelfCheck(
  report: SelfCheck,
  closing: (() => Promise<void> | void)[],
): FinishedSelfCheck {
  async function closeAll(): Promise<void> {
    for (const close of closing.toReversed()) {
      try {
        await close();
      } catch {
        // The report is already complete, so the error is ignored.
      }
    }
  }
  return {
    report,
    close: () => Promise.race([closeAll(), pause(CLOSE_MS, undefined, { ref: false })]),
  };
}

export async function runChecks(options: SelfCheckOptions): Promise<SelfCheck> {
  const { gatehouse, host, checks, limitMs, clock = () => performance.now() } = options;
  const startedAt = clock();
  const limit = AbortSignal.timeout(limitMs);
  const results: CheckResult[] = [];
  const runCheck = async ({ name, run }: SelfCheckStep): Promise<CheckResult> => {
    const began = clock();
    const outcome = await within(limit, run, limitMs);
    return { name, ...outcome, took: Math.round(clock() - began) };
  };
  for (const turn of getTurns(checks)) results.push(...(await Promise.all(turn.map(runCheck))));
  const { electron, chrome, node, sqlite } = process.versions;
  return {
    ok: results.every(({ ok }) => ok),
    gatehouse,
    host,
    system: `${process.platform} ${release()} ${arch()}`,
    versions: {
      electron: electron ?? null,
      chromium: chrome ?? null,
      node: node ?? null,
      sqlite: sqlite ?? null,
    },
    took: Math.round(clock() - startedAt),
    checks: results,
  };
}

function getTurns(checks: readonly SelfCheckStep[]): SelfCheckStep[][] {
  const turns: SelfCheckStep[][] = [];
  for (const check of checks) {
    const last = turns.at(-1);
    if (check.isThreaded && last?.[0]?.isThreaded) last.push(check);
    else turns.push([check]);
  }
  return turns;
}

async function within(
  limit: AbortSignal,
  run: SelfCheckStep['run'],
  limitMs: number,
): Promise<Pick<CheckResult, 'ok' | 'detail'>> {
  const late = Promise.withResolvers<never>();
  const onLate = () => late.reject(new Error(`Timed out after ${limitMs / 1000} s.`));
  if (limit.aborted) onLate();
  else limit.addEventListener('abort', onLate, { once: true });
  late.promise.catch(() => undefined);
  try {
    const detail = await Promise.race([limit.aborted ? late.promise : run(limit), late.promise]);
    return { ok: true, detail };
  } catch (cause) {
    return { ok: false, detail: cause instanceof Error ? cause.message : String(cause) };
  } finally {
    limit.removeEventListener('abort', onLate);
  }
}
