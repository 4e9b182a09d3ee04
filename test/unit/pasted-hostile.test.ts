import { expect, it } from 'vitest';
import { readPasted } from '../../shared/pasted/read-pasted.ts';

const url = 'https://a.example/v1/chat/completions';

it('never sets a prototype', () => {
  const texts = [
    `curl ${url} -d '{"messages":[{"role":"user","content":"Hi"}],"__proto__":{"polluted":1}}'`,
    `fetch("${url}", { method: 'POST', body: JSON.stringify({ "__proto__": { polluted: 1 } }) })`,
    `irm ${url} -Method Post -Body (@{ __proto__ = @{ polluted = 1 } } | ConvertTo-Json)`,
  ];
  for (const text of texts) readPasted(text);
  expect('polluted' in {}).toBe(false);
});
