import { expect, it, onTestFinished } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import '../../renderer/ui/tokens.css';
import '../../renderer/ui/base.css';
import { JsonEditor } from '../../renderer/ui/json-editor/json-editor.tsx';

it('types over a selection without an inline style, which the page’s policy blocks', async () => {
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = "style-src-attr 'none'";
  document.head.append(policy);
  const blocked: string[] = [];
  const listen = ({ violatedDirective }: SecurityPolicyViolationEvent) =>
    blocked.push(violatedDirective);
  document.addEventListener('securitypolicyviolation', listen);
  onTestFinished(() => document.removeEventListener('securitypolicyviolation', listen));
  let text = '';
  const screen = await render(
    <JsonEditor
      label="Tool"
      initialText={'{\n  "name": "a",\n  "list": [1, 2]\n}'}
      onTextChange={(next) => {
        text = next;
      }}
    />,
  );
  const editor = screen.getByRole('textbox', { name: 'Tool' });
  await expect.element(editor).toHaveClass('cm-content');
  await editor.fill('{"a": [1,\n2]}');
  await expect.poll(() => text).toBe('{"a": [1,\n2]}');
  await userEvent.keyboard('{Control>}a{/Control}word');
  await expect.poll(() => text).toBe('word');
  // A bracket is closed as before.
  await userEvent.keyboard('{Control>}a{/Control}[[');
  await expect.poll(() => text).toBe('[word]');
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.poll(() => text).toBe('word');
  expect(blocked).toEqual([]);
});
