import { useState } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import {
  rerankDocuments,
  rerankForm,
  showDocumentsAs,
  showRankingAs,
  writeDocuments,
} from '../../renderer/features/rerank/rerank-form.ts';
import { removeDocument } from '../../renderer/run/form/documents/document-source.ts';
import { DocumentRows } from '../../renderer/run/form/documents/documents-form.tsx';
import { resetPanels } from './panel-fixtures.tsx';

beforeEach(() => {
  location.hash = '#/rerank';
  resetPanels();
  showDocumentsAs('lines');
  showRankingAs('bars');
});

function Documents() {
  const [lines, setLines] = useState(['The bridge', 'The gate', 'A road']);
  return (
    <div style={{ display: 'flex', height: 300 }}>
      <DocumentRows
        noun="document"
        lines={lines}
        error={null}
        onText={(text) => setLines(text.split('\n'))}
        onRemove={(at) => removeDocument(rerankDocuments, at)}
      />
    </div>
  );
}

it('moves between rows by arrow keys or typing, edits on Enter, and leaves on Escape', async () => {
  const screen = await render(<Documents />);
  const row = (name: string) => screen.getByRole('listitem', { name, exact: true });
  await expect.element(row('Document 1')).toBeVisible();
  await userEvent.tab();
  await expect.element(row('Document 1')).toHaveFocus();
  await userEvent.keyboard('a');
  await expect.element(row('Document 3')).toHaveFocus();
  await userEvent.keyboard('{ArrowUp}{Enter}');
  const second = screen.getByRole('textbox', { name: 'Document 2' });
  await expect.element(second).toHaveFocus();
  await userEvent.keyboard('{End} is open');
  await expect.element(second).toHaveValue('The gate is open');
  await userEvent.keyboard('{Escape}');
  await expect.element(row('Document 2')).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  await userEvent.tab();
  await expect.element(screen.getByRole('button', { name: 'Add document' })).toHaveFocus();
});

it('removes only one document while Delete is held', async () => {
  writeDocuments('The bridge\nThe gate\nA road');
  const screen = await render(<Documents />);
  await expect
    .element(screen.getByRole('listitem', { name: 'Document 1', exact: true }))
    .toBeVisible();
  await userEvent.tab();
  await userEvent.keyboard('{Delete>3/}');
  expect(rerankForm.state.getState().values.input.documents).toBe('The gate\nA road');
});
