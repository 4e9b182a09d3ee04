import { expect, it } from 'vitest';
import { securityHeaders } from '../../electron/page/security-headers.ts';

it('denies only features that Chromium knows, because it logs an error for others', () => {
  const { featurePolicy } = document as Document & {
    featurePolicy?: { features: () => string[] };
  };
  const known = featurePolicy?.features() ?? expect.fail();
  const denied = (securityHeaders['permissions-policy'] ?? '')
    .split(', ')
    .map((directive) => directive.replace('=()', ''));
  expect(denied).toContain('camera');
  expect(denied.filter((feature) => !known.includes(feature))).toEqual([]);
});
