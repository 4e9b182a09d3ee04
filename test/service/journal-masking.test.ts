/** Covers a disk that refuses to mask a key in a journal. */
import { existsSync, readFileSync, writeSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { redactAll } from '../../electron/redaction/redactor.ts';
import { decodeEvents } from '../../electron/storage/event-lines.ts';
import { createJournals } from '../../electron/storage/journals.ts';
import { createLedger } from '../../electron/storage/ledger.ts';
import { makeBackup } from '../fixtures/backups.ts';
import { openTestStorage } from '../fixtures/data-folder.ts';
import { journalPath } from '../fixtures/journal-files.ts';
import { copyHome, fileError, openJournals } from '../fixtures/open-journals.ts';
import { all, chunks, exchangeEnd, response } from '../fixtures/open-ledger.ts';
import { testRun } from '../fixtures/test-run.ts';
import { startTestServices } from '../fixtures/test-services.ts';

/** Split across events 2 and 3. */
const SECRET = 'ord 2word 3';
const CUTS = new Map([2, 3].map((seq) => [seq, [{ start: 1, end: 6 }]]));

type Opened = Pick<ReturnType<typeof openJournals>, 'files'>;

/** Returns a function that lets the disk accept masks again. */
function refuse({ files }: Opened): () => void {
  const real = files.openSync;
  files.openSync = (path, flags, mode) => {
    if (flags === 'r+') throw fileError('EACCES');
    return real(path, flags, mode);
  };
  return () => {
    files.openSync = real;
  };
}

/** Returns a run whose journal has the secret, and whose readers don't. */
async function withRefusedMask() {
  const opened = openJournals();
  const { ledger, home } = opened;
  ledger.createRun(testRun({ id: 'a', status: 'running' }));
  ledger.append('a', [response, ...chunks(2, 3)]);
  ledger.save('a');
  const allow = refuse(opened);
  await ledger.cut('a', CUTS);
  const read = () => readFileSync(journalPath(home, 'a'), 'utf8');
  expect(read()).toContain('word 2');
  const shown = () => JSON.stringify(ledger.events('a', all).events);
  expect(shown()).toContain('w*****');
  expect(shown()).not.toContain('word 2');
  return { ...opened, allow, read, shown };
}

test('masks the journal once it is packed, even if it can’t be deleted then', async () => {
  const { ledger, files, timer, read, allow } = await withRefusedMask();
  await expect(ledger.retryCuts()).rejects.toThrow('couldn’t be masked on disk');
  allow();
  files.rmSync = () => {
    throw fileError('EBUSY');
  };
  ledger.append('a', [exchangeEnd(4)]);
  ledger.save('a');
  await vi.waitFor(() => {
    timer.advance(50);
    expect(read()).not.toContain('word 2');
  });
});

test('packs masked events and deletes the journal if the disk still refuses', async () => {
  const { ledger, pack, shown } = await withRefusedMask();
  ledger.append('a', [exchangeEnd(4)]);
  ledger.save('a');
  await pack();
  expect(shown()).toContain('w*****');
  expect(shown()).not.toContain('word 2');
});

test('masks the journal on demand', async () => {
  const { ledger, read, allow } = await withRefusedMask();
  allow();
  await ledger.retryCuts();
  expect(read()).not.toContain('word 2');
  expect(read()).toContain('w*****');
  await ledger.retryCuts();
});

test('completes a mask that the disk accepts only in parts', async () => {
  const { ledger, files, read, allow, shown } = await withRefusedMask();
  allow();
  files.writeSync = ((file: number, bytes: Uint8Array, from: number, length: number, at: number) =>
    writeSync(file, bytes, from, Math.min(length, 10), at)) as typeof files.writeSync;
  await ledger.retryCuts();
  expect(read()).not.toContain('word 2');
  const [, ...lines] = read().trimEnd().split('\n');
  expect(decodeEvents(lines.join('\n'), () => undefined)).toHaveLength(3);
  expect(shown()).toContain('w*****');
});

test('recovers masked events if the disk refuses at the next start', async () => {
  const { path } = await withRefusedMask();
  const home = copyHome(path);
  const storage = openTestStorage(home);
  const opened = openJournals();
  refuse(opened);
  const journals = createJournals({ home, now: Date.now, files: opened.files });
  const ledger = createLedger({ ...storage, journals });
  const getRedactor = async () => redactAll([SECRET]);
  await ledger.recoverJournal('a', getRedactor, new AbortController().signal);
  const events = JSON.stringify(ledger.events('a', all).events);
  expect(events).toContain('w*****');
  expect(events).toContain('"redacted"');
  await vi.waitFor(() => expect(existsSync(journalPath(home, 'a'))).toBe(false));
  expect(storage.notices).toEqual([]);
});

test('makes no backup while a key can’t be masked', async () => {
  const services = await startTestServices();
  const refusal = vi.spyOn(services.ledger, 'retryCuts').mockRejectedValueOnce(fileError('EACCES'));
  await expect(makeBackup(services)).rejects.toThrow('EACCES');
  expect(await makeBackup(services)).not.toHaveLength(0);
  expect(refusal).toHaveBeenCalledTimes(2);
});
