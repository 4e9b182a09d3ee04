import { it } from 'vitest';
import { targets } from '../faults/targets.ts';
import { expectNoKey, startRedirectTarget } from '../fixtures/canary.ts';

startRedirectTarget();

it.each(targets.filter(({ name }) => name !== 'chat' && name !== 'transcription'))(
  '$name: sends the key, but never stores or shows it',
  expectNoKey,
);
