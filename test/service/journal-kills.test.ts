/** Covers a kill after each change that this process makes to a journal or the ledger. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { redactAll } from '../../electron/redaction/redactor.ts';
import type { RunEvent } from '../../shared/run.ts';
import { listJournals } from '../fixtures/journal-files.ts';
import { copyHome, openJournals } from '../fixtures/open-journals.ts';
import {
  all,
  chunk,
  chunks,
  exchangeEnd,
  recoverLedger,
  removeRun,
  response,
} from '../fixtures/open-ledger.ts';
import { testRun } from '../fixtures/test-run.ts';

/** Split across events 2 and 3. */
const SECRET = 'ord 2word 3';
const CUTS = new Map([2, 3].map((seq) => [seq, [{ start: 1, end: 6 }]]));

interface Kill {
  home: string;
  /** The number of the last event that was written before. */
  written: number;
  isDeleted: boolean;
}

/** Copies the data folder after each change. */
function recordKills({ path, files, db }: ReturnType<typeof openJournals>) {
  const kills: Kill[] = [];
  const now = { written: 0, isDeleted: false };
  const record = () => kills.push({ home: copyHome(path), ...now });
  for (const name of ['openSync', 'writeSync', 'ftruncateSync', 'rmSync', 'renameSync'] as const) {
    const real: (...given: never[]) => unknown = files[name];
    Object.assign(files, {
      [name](...given: never[]) {
        const result = real(...given);
        record();
        return result;
      },
    });
  }
  const write = db.write.bind(db);
  vi.spyOn(db, 'write').mockImplementation((work) => {
    const result = write(work);
    if (!db.isWriting()) record();
    return result;
  });
  return { kills, now };
}

const getSeqs = (events: readonly RunEvent[]) => events.map(({ seq }) => seq);

test('never loses, repeats or reveals anything, whenever it is killed', async () => {
  const opened = openJournals();
  const { ledger, pack } = opened;
  const { kills, now } = recordKills(opened);
  ledger.createRun(testRun({ id: 'a', status: 'running' }));
  ledger.append('a', [response, ...chunks(2, 3)]);
  ledger.save('a');
  now.written = 3;
  ledger.append('a', chunks(4, 5));
  ledger.save('a');
  now.written = 5;
  await ledger.cut('a', CUTS);
  ledger.append('a', [exchangeEnd(6)]);
  ledger.save('a');
  now.written = 6;
  await pack();
  ledger.append('a', [
    { ...response, seq: 7, exchange: 1 },
    { ...chunk(8), exchange: 1 },
  ]);
  ledger.save('a');
  now.written = 8;
  ledger.append('a', [exchangeEnd(9, 1)]);
  ledger.update('a', { status: 'succeeded' });
  now.written = 9;
  await pack();
  now.isDeleted = true;
  removeRun(ledger, 'a');
  opened.timer.advance(1000);
  expect(kills.length).toBeGreaterThan(15);

  for (const { home, written, isDeleted } of kills) {
    const next = await recoverLedger(home, async () => redactAll([SECRET]));
    const { events } = next.events('a', all);
    if (!isDeleted) {
      expect(getSeqs(events).slice(0, written)).toEqual(
        Array.from({ length: written }, (_, at) => at + 1),
      );
    }
    expect(new Set(getSeqs(events)).size).toBe(events.length);
    expect(JSON.stringify(events)).not.toContain('word 2');
    await vi.waitFor(() => expect(listJournals(home)).toEqual([]));
    expect(readdirSync(join(home, 'journal'))).toEqual([]);
    next.close();
  }
}, 60_000);
