import { expect, it } from 'vitest';
import { createFrameScan } from '../../electron/gateway/frame-scan.ts';

const text = (value: string) => `{"type":"text","value":"${value}"}`;

/** Returns a scan that has seen events with different texts. */
function openScan() {
  const scan = createFrameScan();
  for (const value of ['one', 'two', 'three']) scan(text(value));
  return scan;
}

it('returns only the string that differs', () => {
  expect(openScan()(text('four'))).toMatchObject({ isRare: false, changed: '"four"' });
});

it.each([
  ['a value that names media', text('image')],
  ['a data URL', text('data:image/png;base64,AA')],
  ['a value with an escape', text(String.raw`a\"b`)],
  ['another field', '{"type":"text","value":"x","b64_json":"AA"}'],
  ['an error', '{"type":"text","value":"x","error":"no"}'],
  ['another type', text('x').replace('"text"', '"response.audio.delta"')],
])('scans all of an event with %s, or finds it', (_what, data) => {
  const { isRare, changed } = openScan()(data);
  expect(isRare || changed === data).toBe(true);
});

it('doesn’t take a name for a value', () => {
  const scan = createFrameScan();
  for (const name of ['a', 'b', 'c']) scan(`{"${name}":1}`);
  expect(scan('{"error":1}').isRare).toBe(true);
});

it('looks at each event that repeats something rare', () => {
  const scan = createFrameScan();
  const write = (value: string) => `{"error":null,"value":"${value}"}`;
  for (const value of ['a', 'b', 'c']) expect(scan(write(value)).isRare).toBe(true);
});
