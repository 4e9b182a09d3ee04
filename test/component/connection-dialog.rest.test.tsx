import { ORPCError } from '@orpc/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { ConnectionsSection } from '../../renderer/features/settings/connections-section.tsx';
import { followChanges } from '../../renderer/lib/change-feed.ts';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';
import type { CertificateFacts } from '../../shared/certificate.ts';
import { appError } from '../../shared/errors.ts';
import { goodTest, main, resetMain } from './shell-fake-main.ts';

const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':');

const certificate: CertificateFacts = {
  subject: 'CN=gateway.internal',
  issuer: 'CN=gateway.internal',
  hosts: ['gateway.internal'],
  validFrom: Date.UTC(2026, 0, 1),
  validTo: Date.UTC(2036, 0, 1),
  fingerprint,
};

const rejected = {
  ...goodTest,
  ok: false,
  summary: 'The gateway responded but rejected the key.',
  status: 401,
  models: null,
  modelCount: null,
  error: appError('unauthorized', 'Rejected.', 'Check the key.'),
};

const untrusted = {
  ...rejected,
  summary: 'The certificate isn’t trusted.',
  status: null,
  error: appError('unreachable', 'The certificate isn’t trusted.', 'Add its CA certificate.'),
  certificate,
};

beforeEach(async () => {
  await page.viewport(1360, 860);
  queryClient.clear();
  resetMain();
  useLinkState.setState('open', true);
});

async function openSection() {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  void followChanges(stop.signal);
  return render(
    <QueryClientProvider client={queryClient}>
      <ConnectionsSection />
    </QueryClientProvider>,
  );
}

async function openDialog() {
  const screen = await openSection();
  await screen.getByRole('button', { name: 'Add connection' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Add connection' });
  const baseUrl = dialog.getByRole('textbox', { name: 'Base URL' });
  const key = dialog.getByLabelText('API key');
  const test = dialog.getByRole('button', { name: 'Test' });
  const save = dialog.getByRole('button', { name: 'Save', exact: true });
  return { screen, dialog, baseUrl, key, test, save };
}

describe('the test', () => {
  it('can be stopped or skipped, and repeats after fields change', async () => {
    const { screen, dialog, baseUrl, key, test, save } = await openDialog();
    main.testDraft = () => new Promise(() => undefined);
    await baseUrl.fill('https://gateway.example.com');
    await test.click();
    await dialog.getByRole('button', { name: 'Stop test' }).click();
    await expect.element(test).toBeVisible();
    await expect.element(dialog.getByRole('status')).not.toBeInTheDocument();

    main.testDraft = async () => rejected;
    await save.click();
    const alert = dialog.getByRole('alert');
    await expect.element(alert).toMatchTextContent(/rejected the key/);
    await expect.element(dialog.getByText(/models · 401 · /)).toBeVisible();
    await key.fill('sk-other-0123456789');
    await expect.element(alert).not.toBeInTheDocument();
    await save.click();
    await expect.element(alert).toBeVisible();
    expect(main.drafts.map((draft) => draft.key).slice(-2)).toEqual([
      undefined,
      'sk-other-0123456789',
    ]);
    expect(main.saved).toHaveLength(0);
    await dialog.getByRole('button', { name: 'Save anyway' }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    const row = screen.getByRole('listitem', { name: 'gateway.example.com' });
    await expect.element(row).toMatchTextContent(/New/);
    expect(row.getByText('In use').elements()).toHaveLength(0);
    await expect.element(row.getByRole('button', { name: 'Use' })).toBeVisible();
    expect(main.settings.selectedConnectionId).toBeNull();
  });

  it('shows an untrusted certificate and trusts it on request', async () => {
    const { dialog, baseUrl, test, save } = await openDialog();
    main.testDraft = async ({ options }) =>
      options?.acceptedFingerprint === fingerprint ? goodTest : untrusted;
    await baseUrl.fill('https://gateway.internal');
    await test.click();
    const shown = dialog.getByRole('region', { name: 'The gateway’s certificate' });
    for (const words of [/CN=gateway\.internal/, /Self-signed/, /2026 – .*2036/]) {
      await expect.element(shown).toMatchTextContent(words);
    }
    await expect.element(shown).toMatchTextContent(new RegExp(fingerprint));
    await shown.getByRole('button', { name: 'Accept this certificate' }).click();
    await expect.element(dialog.getByRole('status')).toMatchTextContent(/lists 3 models/);
    await save.click();
    await expect.poll(() => main.saved.at(-1)?.options?.acceptedFingerprint).toBe(fingerprint);
  });
});

async function choosePreset(dialog: Locator, name: string) {
  await dialog.getByRole('combobox', { name: 'Preset' }).click();
  await page.getByRole('option', { name, exact: false }).filter({ hasText: name }).first().click();
}

it('finds a preset by its name or host, and tests a key that the model list doesn’t check', async () => {
  const { dialog, baseUrl, test } = await openDialog();
  const preset = dialog.getByRole('combobox', { name: 'Preset' });
  await preset.fill('kimi.com');
  await expect.element(page.getByRole('listbox', { name: 'Preset' })).not.toBeInTheDocument();
  await preset.fill('moonshot.ai');
  await userEvent.keyboard('{Enter}');
  await expect.element(preset).toHaveValue('Moonshot Kimi (international)');
  await expect.element(baseUrl).toHaveValue('https://api.moonshot.ai/v1');

  main.testDraft = async () => ({ ...goodTest, keyModel: 'cheap' });
  main.testKey = async () => ({
    ok: false,
    summary: 'The gateway rejected the key.',
    error: rejected.error,
  });
  await test.click();
  const testKey = dialog.getByRole('button', { name: 'Test key' });
  await testKey.click();
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/rejected the key/);
  expect(main.keyTests).toEqual(['cheap']);
  main.testKey = async () => ({ ok: true, summary: 'The key works: cheap answered.', error: null });
  await testKey.click();
  await expect.element(dialog.getByText('The key works: cheap answered.')).toBeVisible();
});

it('fills the fields from a preset and asks for its placeholders', async () => {
  const { dialog, baseUrl, test } = await openDialog();
  const preset = dialog.getByRole('combobox', { name: 'Preset' });
  await choosePreset(dialog, 'new-api');
  await expect.element(baseUrl).toHaveValue('http://localhost:3000/v1');
  await expect
    .element(preset)
    .toHaveAccessibleDescription(
      'Works with Chat, Completion, Image, Video, Rerank, Embeddings, Speech, and Transcription.',
    );
  await choosePreset(dialog, 'Azure OpenAI');
  await test.click();
  await expect.element(baseUrl).toHaveAccessibleDescription(/Replace YOUR-RESOURCE/);
  await expect.element(baseUrl).toHaveFocus();
  expect(main.drafts).toEqual([]);
  await baseUrl.fill('https://mine.openai.azure.com/openai/v1');
  await test.click();
  await expect.element(dialog.getByRole('status')).toBeVisible();
  expect(main.drafts).toMatchObject([
    {
      options: {
        keyHeader: { name: 'api-key', scheme: '' },
        query: [{ name: 'api-version', value: 'preview', isSecret: false }],
      },
    },
  ]);
  const name = dialog.getByRole('textbox', { name: 'Name', exact: true });
  await expect.element(name).toHaveValue('Azure OpenAI');
  await choosePreset(dialog, 'None');
  await expect.element(name).toHaveValue('');
  await expect.element(baseUrl).toHaveValue('https://mine.openai.azure.com/openai/v1');
  await test.click();
  await expect.poll(() => main.drafts.length).toBe(2);
  expect(main.drafts[1]?.options).toMatchObject({
    keyHeader: { name: 'Authorization', scheme: 'Bearer' },
    query: [],
  });
});

describe('Advanced', () => {
  it('saves a path and a key header of a format, and fills those of a preset', async () => {
    const { dialog, baseUrl, save } = await openDialog();
    await choosePreset(dialog, 'xAI');
    await baseUrl.fill('https://gateway.example.com');
    await dialog.getByText('Advanced').click();
    await expect
      .element(dialog.getByRole('textbox', { name: 'Task path of format 1' }))
      .toHaveValue('/v1/videos/{id}');
    await dialog.getByRole('button', { name: 'Add format' }).click();
    await dialog.getByRole('combobox', { name: 'Format 2' }).selectOptions('Chat: Messages');
    const path = dialog.getByRole('textbox', { name: 'Path of format 2', exact: true });
    await expect.element(path).toHaveAttribute('placeholder', '/v1/messages');
    await path.fill('anthropic');
    await dialog.getByRole('textbox', { name: 'Key header of format 2' }).fill('x-api-key');
    const message = 'Enter a path, such as /v1/videos/generations.';
    const fields = [{ path: ['options', 'endpoints', '1', 'path'], message }];
    const data = appError('invalid-request', message, '', { fields });
    main.testDraft = () => Promise.reject(new ORPCError('APP_ERROR', { data }));
    await save.click();
    await expect.element(path).toHaveAccessibleDescription(message);
    main.testDraft = async () => goodTest;
    await path.fill('/anthropic/v1/messages');
    await save.click();
    await expect
      .poll(() => main.saved.at(-1)?.options?.endpoints)
      .toEqual([
        {
          operation: 'video',
          format: '',
          path: '/v1/videos/generations',
          taskPath: '/v1/videos/{id}',
          keyHeader: null,
        },
        {
          operation: 'chat',
          format: 'messages',
          path: '/anthropic/v1/messages',
          taskPath: null,
          keyHeader: { name: 'x-api-key', scheme: '' },
        },
      ]);
  });

  it('opens at a rejected field, and saves headers, parameters, timeouts and a proxy', async () => {
    const { dialog, baseUrl, save } = await openDialog();
    await baseUrl.fill('https://gateway.example.com');
    await dialog.getByText('Advanced').click();
    await dialog.getByRole('button', { name: 'Add header' }).click();
    const name = dialog.getByRole('textbox', { name: 'Name of header 1' });
    await expect.element(name).toHaveFocus();
    await dialog.getByText('Advanced').click();
    const path = ['options', 'headers', '0', 'name'];
    const message = 'Enter a header name without spaces.';
    const data = appError('invalid-request', message, '', { fields: [{ path, message }] });
    main.testDraft = () => Promise.reject(new ORPCError('APP_ERROR', { data }));
    await save.click();
    await expect.element(name).toHaveAccessibleDescription(message);
    await expect.element(name).toHaveFocus();
    expect(main.saved).toHaveLength(0);

    main.testDraft = async () => goodTest;
    await name.fill('X-Team');
    await dialog.getByLabelText('Value of header 1').fill('$TEAM');
    await dialog.getByRole('button', { name: 'Add query parameter' }).click();
    await dialog.getByRole('textbox', { name: 'Name of query parameter 1' }).fill('region');
    await dialog.getByRole('textbox', { name: 'Value of query parameter 1' }).fill('eu');
    await dialog.getByRole('spinbutton', { name: 'Connect' }).fill('5');
    await dialog.getByRole('combobox', { name: 'Proxy' }).selectOptions('Custom proxy');
    await dialog.getByRole('textbox', { name: 'Proxy URL' }).fill('http://proxy.example:3128');
    await save.click();
    await expect.poll(() => main.saved.length).toBe(1);
    expect(main.saved).toMatchObject([
      {
        options: {
          headers: [{ name: 'X-Team', value: '$TEAM', isSecret: true }],
          query: [{ name: 'region', value: 'eu', isSecret: false }],
          timeouts: { connectSeconds: 5, firstByteSeconds: null, stallSeconds: null },
          proxy: { kind: 'url', url: 'http://proxy.example:3128' },
        },
      },
    ]);
  });

  it('reads certificate files before saving them', async () => {
    main.certificate = certificate;
    const { dialog, baseUrl, save } = await openDialog();
    await baseUrl.fill('https://gateway.example.com');
    await dialog.getByText('Advanced').click();
    const pem = (label: string) => `-----BEGIN ${label}-----\nAAAA\n-----END ${label}-----\n`;
    const files = dialog.getByLabelText('Client certificate files');
    await userEvent.upload(files, new File([pem('CERTIFICATE')], 'client.crt'));
    await expect
      .element(dialog.getByText('Choose the private key along with its certificate.'))
      .toBeVisible();
    await userEvent.upload(files, [
      new File([pem('PRIVATE KEY')], 'client.key'),
      new File([pem('CERTIFICATE')], 'client.crt'),
    ]);
    const ca = dialog.getByLabelText('CA certificate file', { exact: true });
    await userEvent.upload(ca, new File([pem('CERTIFICATE')], 'ca.pem'));
    await expect.poll(() => dialog.getByText(/valid until Jan 1, 2036/).elements().length).toBe(2);
    await save.click();
    await expect.poll(() => main.saved.length).toBe(1);
    expect(main.saved).toMatchObject([
      {
        options: {
          caCertificate: { kind: 'pem', text: pem('CERTIFICATE') },
          clientCertificate: { kind: 'pem', key: pem('PRIVATE KEY'), passphrase: null },
        },
      },
    ]);
  });
});

it('lists problems in an imported file, marks additions by others, and renames without a test', async () => {
  const chosen = (name: string, baseUrl: string) => ({
    name,
    baseUrl,
    headers: [],
    query: [],
    caCertificate: null,
    keyHeader: { name: 'Authorization', scheme: 'Bearer' },
    timeouts: { connectSeconds: null, firstByteSeconds: null, stallSeconds: null },
    proxy: { kind: 'default' },
  });
  const screen = await openSection();
  const importFile = (connections: unknown[]) =>
    userEvent.upload(
      screen.getByLabelText('Connections to import'),
      new File(
        [JSON.stringify({ format: 'gatehouse-connections', version: 1, connections })],
        'connections.json',
      ),
    );
  const one = chosen('One', 'https://one.example');
  await importFile([one, { ...chosen('Two', 'file:///etc/passwd'), name: '' }]);
  const problems = screen.getByRole('list', { name: 'Problems in the file' });
  await expect.element(problems).toMatchTextContent(/Connection 2, name: Enter a name\./);
  await expect.element(problems).toMatchTextContent(/Connection 2, baseUrl: Enter a URL/);
  await expect.element(screen.getByRole('alert')).toMatchTextContent(/Nothing was imported/);
  expect(main.connections).toHaveLength(1);

  await importFile([one, chosen('Two', 'https://two.example')]);
  await expect.element(screen.getByRole('listitem', { name: 'One' })).toHaveFocus();
  await expect.element(screen.getByRole('listitem', { name: 'Two' })).toMatchTextContent(/New/);
  await expect
    .element(screen.getByText('2 connections imported. Enter the keys to use them.'))
    .toBeVisible();
  await screen.getByRole('button', { name: 'Edit One' }).click();
  await screen.getByRole('textbox', { name: 'Name', exact: true }).fill('Ours');
  await screen.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.element(screen.getByRole('listitem', { name: 'Ours' })).toBeVisible();
  expect(main.drafts).toEqual([]);
});

it('saves the daily cap with the connection', async () => {
  const screen = await openSection();
  await screen.getByRole('button', { name: 'Add connection' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add connection' });
  await dialog.getByRole('textbox', { name: 'Base URL' }).fill('https://gateway.example');
  await dialog.getByRole('spinbutton', { name: 'Daily cap' }).fill('2.5');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(Object.values(main.settings.dailyCaps)).toEqual([2.5]);
});

it('says that a key for the session has to be entered again', async () => {
  const { dialog } = await openDialog();
  const forgets = dialog.getByText(/You’ll have to enter it again after Gatehouse restarts\./);
  await expect.element(forgets).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Store key' }).selectOptions('file');
  await expect.element(forgets).not.toBeInTheDocument();
});
