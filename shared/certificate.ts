/** Defines the facts about an X.509 certificate that the page shows. */
import { z } from 'zod';

export const certificateFactsSchema = z.object({
  /** Names as one line, such as `CN=gateway.example.com, O=Example`. */
  subject: z.string(),
  issuer: z.string(),
  /** Host names and IP addresses that the certificate is valid for. */
  hosts: z.array(z.string()),
  /** Unix milliseconds. */
  validFrom: z.number(),
  validTo: z.number(),
  /** SHA-256 as uppercase hexadecimal pairs, such as `3A:0F:…`. */
  fingerprint: z.string(),
});
export type CertificateFacts = z.infer<typeof certificateFactsSchema>;

export const fingerprintSchema = z
  .string()
  .regex(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/, 'This isn’t a SHA-256 fingerprint.');
