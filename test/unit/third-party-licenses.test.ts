import { expect, it } from 'vitest';
import { packageFolder } from '../scripts/third-party-licenses.ts';

it.each([
  ['/app/node_modules/react/cjs/react.js', '/app/node_modules/react'],
  ['/app/node_modules/@orpc/client/dist/index.mjs', '/app/node_modules/@orpc/client'],
  ['\0/app/node_modules/react/index.js?commonjs', '/app/node_modules/react'],
  ['/app/node_modules/a/node_modules/b/x.js', '/app/node_modules/a/node_modules/b'],
  ['/app/renderer/main.tsx', null],
  ['\0rolldown/runtime.js', null],
])('finds the package folder of %s: %s', (id, folder) => {
  expect(packageFolder(id)).toBe(folder);
});
