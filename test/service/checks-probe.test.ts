import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startDemoGateway } from '../../electron/demo/server.ts';
import type { Services } from '../../electron/services.ts';
import type { CheckFormat, ProbeInput } from '../../shared/checks/check.ts';
import { findReferencedMedia } from '../../shared/media.ts';
import { endedCheck, getProbe, untilProgress } from '../fixtures/checks.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { serveScript } from '../fixtures/run-operation.ts';
import { everyRun } from '../fixtures/test-run.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { jsonReply } from '../fixtures/wire-server.ts';

const KEY = 'demo-test-key';
const input: ProbeInput = {
  kind: 'probe',
  connectionId: 'environment',
  models: ['demo-obeys', 'demo-ignores'],
  formats: [''],
  operations: ['rerank'],
};

async function serveDemo() {
  const gateway = await startDemoGateway({ port: 0, key: KEY, speed: 1000 });
  onTestFinished(() => gateway.close());
  const home = temporaryFolder();
  return () => startTestServices({ baseUrl: gateway.baseUrl, key: KEY, home });
}

async function read({ checks }: Services, id: string, format: CheckFormat): Promise<string> {
  let text = '';
  for await (const chunk of checks.export(id, format)) text += chunk;
  return text;
}

async function probe(services: Services, more: Partial<ProbeInput> = {}) {
  const id = await services.checks.start({ ...input, ...more });
  return { id, body: getProbe(await endedCheck(services, id)) };
}

const expected = [
  ['demo-obeys', 'top-n', 'honored'],
  ['demo-ignores', 'top-n', 'ignored'],
  ['demo-obeys', 'return-documents', 'honored'],
  ['demo-ignores', 'return-documents', 'ignored'],
];

describe('a probe', () => {
  it('asks what it planned, and finds what each model does', async () => {
    const services = await (await serveDemo())();
    const { asked, estimate } = await services.checks.plan(input);
    expect(asked).toMatchObject([
      { id: 'top-n', requests: 4 },
      { id: 'return-documents', requests: 4 },
    ]);
    expect(estimate).toMatchObject({ requests: 8 });
    const { body } = await probe(services);
    const found = body.verdicts.map(({ model, rowId, verdict }) => [model, rowId, verdict]);
    expect(new Set(found.map(String))).toEqual(new Set(expected.map(String)));
    expect(services.ledger.list(everyRun).runs).toEqual([]);
    for (const { evidence } of body.verdicts) {
      const { view } = await services.engine.read(evidence?.runId ?? '');
      expect(view).toMatchObject({
        comparisonId: evidence?.place.comparisonId,
        cell: evidence?.place.place,
      });
    }
  });

  it('stops if the gateway refuses the key many times in a row, and asks the rest with a good key', async () => {
    let refuses = true;
    const server = await serveScript(async ({ request, send, end }) => {
      const isList = request.startsWith('GET');
      const refusal = jsonReply({ error: { message: 'Wrong key.' } }, '401 Unauthorized');
      await send(refuses && !isList ? refusal : jsonReply({ data: [{ id: 'demo-obeys' }] }));
      await end();
    });
    const services = await startTestServices({ baseUrl: server.url, key: KEY });
    const operations: ProbeInput['operations'] = ['console', 'chat'];
    const { id, body } = await probe(services, { models: ['demo-obeys'], operations });
    const { ended, requests } = await untilProgress(services, id, () => true);
    expect(body.stopped).toBe('errors');
    expect([ended > 20, ended < requests]).toEqual([true, true]);
    expect(await read(services, id, 'markdown')).toContain('Stopped early: errors.');
    refuses = false;
    await services.checks.resume(id);
    expect((await endedCheck(services, id)).body.stopped).toBeNull();
    const progress = await untilProgress(services, id, () => true);
    expect(progress).toMatchObject({ state: 'done', ended: requests });
  });

  it('gives hints to the form, also after a restart', async () => {
    const open = await serveDemo();
    const services = await open();
    const { id } = await probe(services);
    await services.close();
    const { checks } = await open();
    const hints = checks.listHints('environment', 'demo-ignores');
    expect(hints.map(({ rowId, verdict, checkId }) => [rowId, verdict, checkId]).sort()).toEqual([
      ['return-documents', 'ignored', id],
      ['top-n', 'ignored', id],
    ]);
    expect(checks.listHints('environment', 'demo-lies')).toEqual([]);
  });

  it('keeps its hints if a later probe can’t tell', async () => {
    const gateway = await startDemoGateway({ port: 0, key: KEY, speed: 1000 });
    const services = await startTestServices({ baseUrl: gateway.baseUrl, key: KEY });
    await probe(services);
    const hints = services.checks.listHints('environment', 'demo-ignores');
    expect(hints).toHaveLength(2);
    await gateway.close();
    const { verdicts } = (await probe(services)).body;
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(Array(4).fill('unclear'));
    expect(services.checks.listHints('environment', 'demo-ignores')).toEqual(hints);
  });

  it('is exported as Markdown, CSV and JSON', async () => {
    const services = await (await serveDemo())();
    const { id, body } = await probe(services);
    expect(await read(services, id, 'markdown')).toContain('| Top n | Honored | Ignored |');
    const csv = await read(services, id, 'csv');
    expect(csv.split('\r\n').filter((line) => line.includes('demo-'))).toHaveLength(4);
    expect(JSON.parse(await read(services, id, 'json'))).toMatchObject({
      id,
      body: { verdicts: body.verdicts },
    });
  });

  it('has verdicts of other operations in its Markdown, even without their format', async () => {
    const services = await (await serveDemo())();
    const { id } = await probe(services, { formats: ['messages'], operations: ['rerank'] });
    expect(await read(services, id, 'markdown')).toMatch(/^\| Top n \| Honored \|.* Ignored \|/m);
  });

  it('keeps its verdicts if its runs are deleted, whose evidence then has no run', async () => {
    const services = await (await serveDemo())();
    const { id } = await probe(services);
    const before = getProbe(services.checks.get(id)).verdicts;
    const deletionId = await services.checks.remove(id, true);
    const withoutRuns = before.map((verdict) => ({
      ...verdict,
      evidence: verdict.evidence && { ...verdict.evidence, runId: null },
    }));
    expect(withoutRuns).toHaveLength(4);
    expect(getProbe(services.checks.get(id)).verdicts).toEqual(withoutRuns);
    const exported = JSON.parse(await read(services, id, 'json'));
    expect(exported.body.verdicts).toEqual(withoutRuns);
    services.deletions.undo([deletionId]);
    expect(getProbe(services.checks.get(id)).verdicts).toEqual(before);
  });

  it('keeps the recording that transcription sends out of the Library, and deletes it', async () => {
    const services = await (await serveDemo())();
    const { id, body } = await probe(services, { operations: ['transcription'] });
    const [comparisonId = ''] = body.comparisonIds;
    const [row] = services.comparisons.get(comparisonId).comparison.rows;
    const mediaId = findReferencedMedia(String(row?.request.file)) ?? '';
    expect(services.media.get(mediaId)).toMatchObject({ name: 'probe.wav', complete: true });
    const listed = () => services.media.list({ kind: null, after: null, limit: 10 }).media;
    expect(listed()).toEqual([]);
    const deletionId = await services.checks.remove(id, false);
    expect(services.media.get(mediaId)).toBeNull();
    services.deletions.undo([deletionId]);
    expect(services.media.get(mediaId)).not.toBeNull();
    expect(listed()).toEqual([]);
  });

  it('deletes the recording if the daily cap refuses the probe', async () => {
    const home = temporaryFolder();
    const gateway = await startDemoGateway({ port: 0, key: KEY });
    onTestFinished(() => gateway.close());
    const services = await startTestServices({ baseUrl: gateway.baseUrl, key: KEY, home });
    services.settings.update({ dailyCaps: { environment: 0 } });
    const transcription: ProbeInput = { ...input, operations: ['transcription'] };
    await expect(services.checks.start(transcription)).rejects.toMatchObject({
      error: { kind: 'beyond-cap' },
    });
    const files = readdirSync(join(home, 'media'), { recursive: true, withFileTypes: true });
    expect(files.filter((file) => file.isFile())).toEqual([]);
  });

  it('tells the page that watches it when its runs are deleted and restored', async () => {
    const services = await (await serveDemo())();
    const { id } = await probe(services);
    const updates = services.checks.watch(id, undefined);
    const countRuns = async () => {
      const { value } = await updates.next();
      const verdicts = value?.check?.body.kind === 'probe' ? value.check.body.verdicts : [];
      return verdicts.filter(({ evidence }) => evidence?.runId != null).length;
    };
    expect(await countRuns()).toBe(4);
    const deletionId = await services.checks.remove(id, true);
    expect(await countRuns()).toBe(0);
    services.deletions.undo([deletionId]);
    expect(await countRuns()).toBe(4);
    await updates.return();
  });
});
