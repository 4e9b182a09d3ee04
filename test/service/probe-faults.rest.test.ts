import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Services } from '../../electron/services.ts';
import type { ProbeInput } from '../../shared/checks/check.ts';
import { listProbeRows, probeRows } from '../../shared/checks/probe/rows.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { any, type Fault } from '../faults/fault.ts';
import { groups } from '../faults/groups.ts';
import { type Target, targets } from '../faults/targets.ts';
import { endedCheck, getProbe } from '../fixtures/checks.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { reply, type Script, startWireServer } from '../fixtures/wire-server.ts';

/** Faults answer by bytes; leaves out those that need another connection or request. */
const faults = groups
  .flatMap(({ tries = any, faults: all }) => all.map((fault) => ({ tries, ...fault })))
  .filter(({ answer, connected, baseUrl, request, isHeavy }) =>
    [answer !== undefined, !connected, !baseUrl, !request, !isHeavy].every(Boolean),
  );

const defects: string[] = [];
const note = (cause: unknown): void => void defects.push(String(cause));

beforeAll(() => {
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
});
afterAll(() => {
  process.off('unhandledRejection', note);
  process.off('uncaughtException', note);
});

const operations: OperationName[] = [...new Set(probeRows.map(({ operation }) => operation))];

function findTarget(request: string): Target | undefined {
  return targets.find((target) => target.isMeant(request));
}

it.each(operations)('judges %s by whatever a faulty gateway sends', async (operation) => {
  let at = 0;
  const script: Script = (wire) => {
    const target = findTarget(wire.request);
    if (target === undefined) return wire.send(reply('404 Not Found', {}, ''));
    const fitting = faults.filter(({ on = any, tries }) => on(target) && tries(target));
    const fault: Fault | undefined = fitting[at % fitting.length];
    at += 1;
    return void fault?.answer?.(wire, target, 0);
  };
  const ends: (() => unknown)[] = [];
  const server = await startWireServer(script);
  const services = await startTestServices({
    baseUrl: server.url,
    key: 'sk-test-1234567890',
    polling: { spacingMs: 1, random: () => 0.5, pauseMs: () => 1 },
    log: (line) => defects.push(line),
    atEnd: (end) => ends.push(end),
  });
  try {
    await judgeAll(services, operation);
  } finally {
    for (const end of ends) await end();
    await server.close();
  }
});

async function judgeAll(services: Services, operation: OperationName): Promise<void> {
  const timeouts = { connectSeconds: 60, firstByteSeconds: 0.8, stallSeconds: 0.8 };
  services.settings.update({ timeouts: { [operation]: timeouts } });
  const input: ProbeInput = {
    kind: 'probe',
    connectionId: 'environment',
    models: ['m', 'other'],
    formats: ['', 'messages', 'responses'],
    operations: [operation],
  };
  const id = await services.checks.start(input);
  const { verdicts } = getProbe(await endedCheck(services, id));
  const formats = operation === 'chat' ? input.formats : ['' as const];
  const rows = formats.flatMap((format) => listProbeRows(operation, format));
  expect(verdicts).toHaveLength(rows.length * input.models.length);
  expect(verdicts.every(({ sentence }) => sentence !== '')).toBe(true);
  expect(defects).toEqual([]);
}
