import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { JsonView } from '../../renderer/ui/json-view/json-view.tsx';
import '../../renderer/ui/tokens.css';

const answer = {
  city: 'Oslo',
  days: Array.from({ length: 80 }, (_, day) => ({ day, degrees: day / 2 })),
  wind: { from: 'north' },
};

test('collapses long parts, and expands all on request', async () => {
  const screen = await render(<JsonView label="Answer" value={answer} />);
  const tree = screen.getByRole('tree', { name: 'Answer' });
  await expect.element(tree.getByText('"Oslo"')).toBeVisible();
  const days = tree.getByRole('treeitem', { name: /"days"/ });
  await expect.element(days).toHaveAttribute('aria-expanded', 'false');
  await expect.element(days).toMatchTextContent(/80 items/);
  await days.click();
  await expect.element(days).toHaveAttribute('aria-expanded', 'true');
  await screen.getByRole('button', { name: 'Expand all' }).click();
  await expect.element(screen.getByRole('button', { name: 'Collapse all' })).toBeVisible();
  // Only rows in view are in the DOM.
  expect(tree.getByRole('treeitem').elements().length).toBeLessThan(120);
});

test('uses one Tab stop with arrow keys', async () => {
  const screen = await render(
    <>
      <JsonView label="Answer" value={answer} />
      <button type="button">After</button>
    </>,
  );
  const tree = screen.getByRole('tree', { name: 'Answer' });
  tree.element().focus();
  const reached = () =>
    document.getElementById(tree.element().getAttribute('aria-activedescendant') ?? '');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  expect(reached()?.textContent).toContain('"days"');
  await userEvent.keyboard('{ArrowRight}');
  expect(reached()?.getAttribute('aria-expanded')).toBe('true');
  await userEvent.keyboard('{ArrowRight}');
  expect(reached()?.getAttribute('aria-level')).toBe('3');
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
  expect(reached()?.textContent).toContain('"days"');
  expect(reached()?.getAttribute('aria-expanded')).toBe('false');
  await userEvent.keyboard('{End}');
  expect(reached()?.textContent).toContain('"north"');
  await userEvent.keyboard('{Home}');
  expect(reached()?.textContent).toBe('{');
  await userEvent.tab();
  await expect.element(screen.getByRole('button', { name: 'After' })).toHaveFocus();
});
