/**
 * Tests certificates on real TLS sockets: custom CAs, accepted certificates and client
 * certificates.
 */
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { createRouterClient } from '@orpc/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRouter } from '../../electron/router.ts';
import { connectionOptionsInputSchema } from '../../shared/connection-options.ts';
import { type Certificate, createAuthority } from '../fixtures/certificates.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { shareServices, startTestServices } from '../fixtures/test-services.ts';
import { jsonReply, type Script, startWireServer } from '../fixtures/wire-server.ts';

const shared = await shareServices();
const authority = createAuthority('Test Authority');
const stranger = createAuthority('Other Authority');
const list = jsonReply({ data: [{ id: 'm' }] });
const answerList: Script = ({ send }) => send(list);

async function serve(certificate: Certificate, tls: object = {}, script: Script = answerList) {
  const server = await startWireServer(script, { ...certificate, ...tls });
  onTestFinished(() => server.close());
  return server;
}

const getOptions = (options: object) => connectionOptionsInputSchema.parse(options);
const pem = (text: string) => ({ caCertificate: { kind: 'pem', text } });

/** Tests a draft, which sends the same request as a saved connection would. */
async function testDraft(baseUrl: string, options: object) {
  return shared.connections.testDraft({
    id: null,
    baseUrl,
    key: 'sk-tls-0123456789',
    options: getOptions(options),
  });
}

describe('a CA certificate', () => {
  it('trusts the gateway’s certificate for this connection only', async () => {
    const server = await serve(authority.issue('127.0.0.1'));
    const { connections } = await startTestServices();
    const input = { name: 'Mine', baseUrl: server.url };
    const mine = await connections.create({ ...input, options: getOptions(pem(authority.cert)) });
    const other = await connections.create({ ...input, name: 'Other' });
    expect(mine.options.caCertificates).toMatchObject([
      { subject: 'CN=Test Authority', issuer: 'CN=Test Authority' },
    ]);
    expect((await connections.test(mine.id)).ok).toBe(true);
    expect((await connections.test(other.id)).error?.kind).toBe('unreachable');
    // The removal must take effect at once, even though a socket was kept alive.
    await connections.update(mine.id, { ...input, options: getOptions({}) });
    expect((await connections.test(mine.id)).error?.kind).toBe('unreachable');
  });

  it('keeps the CA when other options change, and accepts a bundle', async () => {
    const server = await serve(authority.issue('127.0.0.1'));
    const { connections } = await startTestServices();
    const input = { name: 'Mine', baseUrl: server.url };
    const both = `# two\n${stranger.cert}\n${authority.cert}`;
    const { id } = await connections.create({ ...input, options: getOptions(pem(both)) });
    const options = getOptions({ caCertificate: { kind: 'saved' } });
    const updated = await connections.update(id, { ...input, options });
    expect(updated.options.caCertificates).toHaveLength(2);
    expect((await connections.test(id)).ok).toBe(true);
  });

  it('still rejects a wrong host name or an expired certificate', async () => {
    const other = await serve(authority.issue('gateway.example'));
    const test = await testDraft(other.url, pem(authority.cert));
    expect(test.error?.detail).toContain('ALTNAME');
    const expired = await serve(authority.issue('127.0.0.1', { fromDay: -3, toDay: -1 }));
    expect((await testDraft(expired.url, pem(authority.cert))).error?.detail).toContain('EXPIRED');
  });

  it.each([
    ['text without a certificate', 'hello', 'no PEM certificate'],
    ['a path', '/etc/ssl/cert.pem', 'no PEM certificate'],
    [
      'a damaged one',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
      'a damaged certificate',
    ],
  ])('rejects a CA file with %s at its field', async (_name, text, message) => {
    const { connections } = shared;
    const input = { name: 'Mine', baseUrl: 'https://gateway.example' };
    await expect(
      connections.create({ ...input, options: getOptions(pem(text)) }),
    ).rejects.toMatchObject({
      error: {
        kind: 'invalid-request',
        fields: [
          { path: ['options', 'caCertificate', 'text'], message: expect.stringContaining(message) },
        ],
      },
    });
    expect(connections.list()).toHaveLength(1);
  });
});

describe('accepting a certificate', () => {
  it('offers subject, issuer, validity and fingerprint, and sends nothing', async () => {
    const certificate = stranger.issue('127.0.0.1');
    const server = await serve(certificate);
    const test = await testDraft(`${server.url}/v1`, {});
    const facts = new X509Certificate(certificate.cert);
    expect(test).toMatchObject({
      ok: false,
      status: null,
      error: { kind: 'unreachable' },
      certificate: {
        subject: 'CN=127.0.0.1',
        issuer: 'CN=Other Authority',
        hosts: ['127.0.0.1'],
        validFrom: facts.validFromDate.getTime(),
        validTo: facts.validToDate.getTime(),
        fingerprint: facts.fingerprint256,
      },
    });
    expect(server.requests).toEqual([]);
  });

  it.each<[string, Certificate]>([
    ['of an unknown authority', stranger.issue('127.0.0.1')],
    ['that signs itself', createAuthority('127.0.0.1')],
    ['for another host', authority.issue('gateway.example')],
    ['that has expired', authority.issue('127.0.0.1', { fromDay: -3, toDay: -1 })],
  ])('trusts a certificate %s once the user accepts it', async (_name, certificate) => {
    const server = await serve(certificate);
    const { certificate: shown } = await testDraft(server.url, {});
    const accepted = await testDraft(server.url, { acceptedFingerprint: shown?.fingerprint });
    expect(accepted).toMatchObject({ ok: true, status: 200, certificate: null });
  });

  it('rejects any other certificate before sending a request, and shows it', async () => {
    const { fingerprint256 } = new X509Certificate(stranger.issue('127.0.0.1').cert);
    const server = await serve(stranger.issue('127.0.0.1'));
    const test = await testDraft(server.url, { acceptedFingerprint: fingerprint256 });
    expect(test.error?.message).toMatch(/certificate isn’t the one you accepted/);
    expect(test.certificate?.fingerprint).toMatch(/^[0-9A-F:]{95}$/);
    expect(test.certificate?.fingerprint).not.toBe(fingerprint256);
    expect(server.requests).toEqual([]);
  });

  it('still trusts a certificate from a known authority', async () => {
    const { fingerprint256 } = new X509Certificate(stranger.cert);
    const server = await serve(authority.issue('127.0.0.1'));
    const options = { ...pem(authority.cert), acceptedFingerprint: fingerprint256 };
    expect((await testDraft(server.url, options)).ok).toBe(true);
  });

  it('stops trusting it when the origin changes', async () => {
    const { connections } = await startTestServices();
    const { fingerprint256 } = new X509Certificate(stranger.cert);
    const options = getOptions({ acceptedFingerprint: fingerprint256 });
    const input = { name: 'Mine', baseUrl: 'https://gateway.example/v1' };
    const { id } = await connections.create({ ...input, options });
    const same = await connections.update(id, { ...input, baseUrl: 'https://gateway.example' });
    expect(same.options.acceptedFingerprint).toBe(fingerprint256);
    const moved = await connections.update(id, { ...input, baseUrl: 'https://other.example' });
    expect(moved.options.acceptedFingerprint).toBeNull();
  });

  it('isn’t offered for failures unrelated to the certificate', async () => {
    expect((await testDraft('https://127.0.0.1:9', {})).certificate).toBeNull();
  });
});

describe('a client certificate', () => {
  const demanding = { requestCert: true, rejectUnauthorized: true, ca: [authority.cert] };
  const client = authority.issue('ann');

  /** Starts a server that answers with the name in the client's certificate. */
  async function serveClients() {
    return serve(authority.issue('127.0.0.1'), demanding, ({ socket, send }) => {
      const { subject } = (socket as TLSSocket).getPeerCertificate();
      return send(jsonReply({ data: [{ id: String(subject.CN) }] }));
    });
  }

  function openssl(folder: string, ...args: string[]): void {
    execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  }

  function writePair(): string {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'cert.pem'), client.cert);
    writeFileSync(join(folder, 'key.pem'), client.key);
    return folder;
  }

  function encryptKey(passphrase: string): string {
    const folder = writePair();
    const files = ['-in', 'key.pem', '-out', 'locked.pem'];
    openssl(folder, 'pkcs8', '-topk8', ...files, '-passout', `pass:${passphrase}`);
    return readFileSync(join(folder, 'locked.pem'), 'utf8');
  }

  function createPfx(passphrase: string): string {
    const folder = writePair();
    const files = ['-inkey', 'key.pem', '-in', 'cert.pem', '-out', 'client.pfx'];
    openssl(folder, 'pkcs12', '-export', ...files, '-passout', `pass:${passphrase}`);
    return readFileSync(join(folder, 'client.pfx')).toString('base64');
  }

  const pair = { kind: 'pem', certificate: client.cert, key: client.key, passphrase: null };
  const withClient = (clientCertificate: object) => ({ ...pem(authority.cert), clientCertificate });

  it.each<[string, () => object]>([
    ['PEM', () => pair],
    ['an encrypted key', () => ({ ...pair, key: encryptKey('abc 1'), passphrase: 'abc 1' })],
    ['PFX', () => ({ kind: 'pfx', data: createPfx('abc 1'), passphrase: 'abc 1' })],
    ['PFX without a passphrase', () => ({ kind: 'pfx', data: createPfx(''), passphrase: null })],
  ])('sends a client certificate as %s to a gateway that requires it', async (_name, create) => {
    const server = await serveClients();
    const test = await testDraft(server.url, withClient(create()));
    expect(test).toMatchObject({ ok: true, models: ['ann'] });
  });

  it('explains that the gateway requires a client certificate', async () => {
    const server = await serveClients();
    const { error } = await testDraft(server.url, pem(authority.cert));
    expect(error?.message).toContain('requires a client certificate');
  });

  it('never sends the client certificate to another origin or a proxy', async () => {
    const seen: string[] = [];
    const asking = { requestCert: true, rejectUnauthorized: false };
    const other = await serve(authority.issue('127.0.0.1'), asking, ({ socket, send }) => {
      seen.push(JSON.stringify((socket as TLSSocket).getPeerCertificate()));
      return send(list);
    });
    const { connections, engine } = await startTestServices();
    const gateway = await serve(authority.issue('127.0.0.1'), demanding, ({ send }) =>
      send(jsonReply({ audio: { url: `${other.url}/speech.wav` } })),
    );
    const options = getOptions(withClient(pair));
    const { id } = await connections.create({ name: 'Mine', baseUrl: gateway.url, options });
    const runId = await engine.start({
      connectionId: id,
      operation: 'speech',
      extraBody: {},
      request: { model: 'm', input: 'Hello', voice: 'a' },
    });
    for await (const _ of engine.watch(runId, null, undefined)) {
    }
    expect(seen).toEqual(['{}']);
    const proxied = { ...withClient(pair), proxy: { kind: 'url', url: other.url } };
    expect((await testDraft('http://gateway.test', proxied)).ok).toBe(true);
    expect(new Set(seen)).toEqual(new Set(['{}']));
  });

  it.each(['TLSv1.2', 'TLSv1.3'])(
    'shows an untrusted certificate without presenting the client’s own in %s',
    async (maxVersion) => {
      const server = await serve(stranger.issue('127.0.0.1'), { ...demanding, maxVersion });
      const { error, certificate } = await testDraft(server.url, withClient(pair));
      expect(error?.kind).toBe('unreachable');
      expect(certificate).toMatchObject({ issuer: 'CN=Other Authority' });
    },
  );

  it('describes a stored client certificate, never returns it, and drops it with its origin', async () => {
    const server = await serveClients();
    const services = await startTestServices();
    const api = createRouterClient(createRouter(services));
    const input = { name: 'Mine', baseUrl: server.url };
    const options = { ...pem(authority.cert), clientCertificate: pair };
    const { id } = await services.connections.create({ ...input, options: getOptions(options) });
    const [, mine] = await api.connections.list();
    expect(mine?.options.clientCertificate).toMatchObject({ subject: 'CN=ann' });
    expect(JSON.stringify(mine)).not.toContain(client.key.split('\n')[1]);
    const kept = { caCertificate: { kind: 'saved' }, clientCertificate: { kind: 'saved' } };
    await services.connections.update(id, { ...input, options: getOptions(kept) });
    expect(await api.connections.test({ id })).toMatchObject({ models: ['ann'] });
    await expect(
      services.connections.update(id, {
        name: 'Mine',
        baseUrl: 'https://elsewhere.example',
        options: getOptions(kept),
      }),
    ).rejects.toMatchObject({ error: { fields: [{ path: ['options', 'clientCertificate'] }] } });
  });

  it.each<[string, () => object, string, string]>([
    ['a key of another', () => ({ ...pair, key: stranger.key }), 'key', 'doesn’t belong'],
    ['no key', () => ({ ...pair, key: 'none' }), 'key', 'no PEM private key'],
    ['no certificate', () => ({ ...pair, certificate: 'x' }), 'certificate', 'no PEM certificate'],
    ['no passphrase', () => ({ ...pair, key: encryptKey('abc 1') }), 'passphrase', 'Enter the'],
    [
      'a wrong passphrase',
      () => ({ ...pair, key: encryptKey('abc 1'), passphrase: 'no' }),
      'passphrase',
      'is wrong',
    ],
    [
      'a wrong passphrase of a PFX',
      () => ({ kind: 'pfx', data: createPfx('abc 1'), passphrase: 'no' }),
      'passphrase',
      'is wrong',
    ],
    [
      'a file that isn’t a PFX',
      () => ({ kind: 'pfx', data: btoa('hello'), passphrase: null }),
      'data',
      'isn’t a PFX',
    ],
  ])('rejects a client certificate with %s at its field', async (_name, create, field, message) => {
    const api = createRouterClient(createRouter(shared));
    const input = { use: 'client', certificate: create() } as Parameters<
      typeof api.connections.readCertificate
    >[0];
    await expect(api.connections.readCertificate(input)).rejects.toMatchObject({
      data: {
        kind: 'invalid-request',
        fields: [
          {
            path: ['options', 'clientCertificate', field],
            message: expect.stringContaining(message),
          },
        ],
      },
    });
  });
});
