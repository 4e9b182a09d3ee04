/** Compares a load with what queueing theory says of workers that serve first come, first served. */
import { expect, it } from 'vitest';
import { findLargestAtOnce } from '../../shared/checks/load/measure-stage.ts';
import { endedCheck, getLoad, loadInput } from '../fixtures/checks.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { startWorkerGateway } from '../fixtures/worker-gateway.ts';

const WORKERS = 4;
/** So long that a busy machine's own delays stay within the limit. */
const SERVICE_MS = 2500;
const LIMIT_MS = 300_000;

it(
  'measures throughput and time within 10 percent of the theory',
  async () => {
    const gateway = await startWorkerGateway({ workers: WORKERS, serviceMs: SERVICE_MS });
    const services = await startTestServices({
      baseUrl: gateway.url,
      key: 'sk-test-1234567890',
      onThreads: true,
    });
    const users = [1, WORKERS, 2 * WORKERS, 4 * WORKERS];
    const id = await services.checks.start(
      loadInput({
        stages: users.map((atOnce) => ({ atOnce, requests: 3 * atOnce })),
        warmup: 1,
        // Between the times of k and of 2k users.
        target: { figure: 'totalMs', percentile: 50, ms: 1.5 * SERVICE_MS },
      }),
    );
    const [result] = getLoad(await endedCheck(services, id)).results;
    const stages = result?.stages ?? [];
    const shares = stages.map(({ atOnce, requestsPerSecond, totalMs }) => ({
      throughput: ((requestsPerSecond ?? 0) * SERVICE_MS) / 1000 / Math.min(atOnce, WORKERS),
      time: (totalMs?.p50 ?? 0) / SERVICE_MS / Math.max(1, atOnce / WORKERS),
    }));
    expect(stages.map(({ atOnce }) => atOnce)).toEqual(users);
    for (const { throughput, time } of shares) {
      expect(Math.abs(throughput - 1)).toBeLessThan(0.1);
      expect(Math.abs(time - 1)).toBeLessThan(0.1);
    }
    expect(findLargestAtOnce(stages)).toBe(WORKERS);
  },
  LIMIT_MS,
);
