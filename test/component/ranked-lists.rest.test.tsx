import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { useUndo } from '../../renderer/lib/undo.ts';

import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';
import { createList, inList, RankedPage } from './ranked-fixtures.tsx';

beforeEach(() => {
  useUndo.setState({ offers: [] });
});

const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) });
describe('rankings side by side', () => {
  it('shows each list’s agreement with the selected one', async () => {
    await render(<RankedPage />);
    await expect.element(row('bm25')).toHaveTextContent('bm25––––––');
    await expect.element(row('pairs')).toHaveTextContent('pairs––––−1.0000.667');
    await expect.element(row('other')).toHaveTextContent('other––––−1.0001.000');
    await page.getByRole('combobox', { name: 'Compare with' }).selectOptions('other');
    await expect.element(row('pairs')).toHaveTextContent('pairs––––1.0000.667');
    await page.getByRole('spinbutton', { name: 'k' }).fill('2');
    await expect.element(row('pairs')).toHaveTextContent('pairs––––1.0000.500');
    await page.getByRole('spinbutton', { name: 'k' }).fill('0');
    await expect.element(page.getByText('1 to 1000')).toBeVisible();
    await page.getByRole('spinbutton', { name: 'k' }).fill('10');
  });
});

describe('labels', () => {
  it('update the metrics of all lists, and change by click and keyboard', async () => {
    const { container } = await render(<RankedPage />);
    const exact = (list: string) =>
      inList(list).getByRole('button', { name: 'Label document 4 as 3: Exact answer' });
    await exact('bm25').click();
    await expect.element(row('bm25')).toMatchTextContent(/^bm250\.4310\.2500\.100 \(best\)1\.000/);
    await expect
      .element(row('other'))
      .toMatchTextContent(/^other1\.000 \(best\)1\.000 \(best\)0\.100/);
    await expect.element(page.getByText('1 document labeled.', { exact: false })).toBeVisible();
    await expect.element(exact('other')).toHaveAttribute('aria-pressed', 'true');
    await exact('other').click();
    await expect.element(row('bm25')).toHaveTextContent('bm25––––––');

    expect(container.querySelectorAll('ul button[tabindex="0"]').length).toBe(3);
    inList('bm25')
      .getByRole('button', { name: /^1 Document 1/ })
      .element()
      .focus();
    await userEvent.keyboard('{ArrowDown}2');
    const second = inList('bm25').getByRole('button', { name: /^2 Document 2.*labeled 2/ });
    await expect.element(second).toHaveFocus();
    await expect.element(page.getByText('Document 2 labeled 2')).toBeInTheDocument();
    await userEvent.keyboard('{ArrowDown}0{ArrowUp}{Delete}');
    await expect.element(page.getByText('Document 2: label removed')).toBeInTheDocument();
    await expect
      .element(inList('pairs').getByRole('button', { name: /Document 2.*labeled/ }))
      .not.toBeInTheDocument();
    await expect
      .element(inList('other').getByRole('button', { name: /Document 3.*labeled 0/ }))
      .toBeVisible();
  });

  it('import from a valid file, with Undo', async () => {
    await render(<RankedPage first={{ 0: 1 }} />);
    const files = page.getByLabelText('Label file');
    await files.upload(new File(['index,label\n3,3\n1,9'], 'labels.csv'));
    await expect
      .element(page.getByRole('alert'))
      .toHaveTextContent('labels.csv: Row 3: the label must be 0, 1, 2 or 3.');
    await expect.element(page.getByText('1 document labeled.', { exact: false })).toBeVisible();
    await files.upload(new File(['{"3": 3, "1": 1}'], 'labels.json'));
    await expect.element(page.getByText('2 documents labeled.', { exact: false })).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.element(page.getByText('1 document labeled.', { exact: false })).toBeVisible();
    await page.getByRole('button', { name: 'Clear labels' }).click();
    await expect.element(page.getByText(/^To measure quality/)).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.element(page.getByText('1 document labeled.', { exact: false })).toBeVisible();
  });
});

it('render only the visible ones of 500 documents, and reach the last', async () => {
  const indexes = Array.from({ length: 500 }, (_, at) => at);
  const given = [createList('one', ...indexes), createList('two', ...indexes.toReversed())];
  const { container } = await render(<RankedPage given={given} />);
  expect(container.querySelectorAll('li').length).toBeLessThan(100);
  inList('one')
    .getByRole('button', { name: /^1 Document 1/ })
    .element()
    .focus();
  await userEvent.keyboard('{End}');
  const last = inList('one').getByRole('button', { name: /^500 Document 500/ });
  await expect.element(last).toHaveFocus();
  await expect.element(last).toBeInViewport();
  await expect
    .element(inList('two').getByRole('button', { name: /^500 Document 1/ }))
    .toBeInViewport();
});
