import { expect, test } from 'vitest';
import { type SigningSurroundings, signingFlags } from '../scripts/mac-signing.ts';

const developerId =
  '  1) 0A1B "Developer ID Application: Example Ltd (TEAM42)"\n     1 valid identities found\n';
const development =
  '  1) 0C1D "Apple Development: someone@example.com (TEAM42)"\n     1 valid identities found\n';
const none = '     0 valid identities found\n';
const adHoc = ['-c.mac.identity=-'];

test.each<[string, Partial<SigningSurroundings>, string[]]>([
  ['a certificate of the keychain', { identities: () => developerId }, []],
  ['nobody if the keychain is empty', { identities: () => none }, adHoc],
  ['nobody if the certificate is for development', { identities: () => development }, adHoc],
  ['a certificate file of the environment', { environment: { CSC_LINK: 'file:///cert.p12' } }, []],
  ['a name in the environment', { environment: { CSC_NAME: 'Example Ltd' } }, []],
  ['the identity of the flags', { flags: ['-c.mac.identity=Example Ltd'] }, []],
  ['nobody if the secret is not set', { environment: { CSC_LINK: '' } }, adHoc],
  [
    'nobody if discovery is turned off',
    { environment: { CSC_IDENTITY_AUTO_DISCOVERY: 'false' }, identities: () => developerId },
    adHoc,
  ],
])('signs macOS builds with %s', (_name, surroundings, flags) => {
  const usual = { platform: 'darwin', environment: {}, flags: [], identities: () => none } as const;
  expect(signingFlags({ ...usual, ...surroundings })).toEqual(flags);
});

test.each(['linux', 'win32'] as const)('doesn’t look for a certificate on %s', (platform) => {
  const identities = () => {
    throw new Error('asked for');
  };
  expect(signingFlags({ platform, environment: {}, flags: [], identities })).toEqual([]);
});
