import { Suspense } from 'react';
import { expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { panelForms, retryForms } from '../../renderer/run/form/panel-forms.ts';
import { useForm, useLoaded } from '../../renderer/run/form/use-form.ts';
import { ErrorBoundary } from '../../renderer/ui/error-boundary.tsx';
import { formsDelay, storeFields } from './fake-forms.ts';

vi.mock('../../renderer/lib/api.ts', () => import('./panel-fake-main.ts'));

function Panel() {
  useLoaded(panelForms.completion);
  return <p>{useForm(panelForms.completion, ({ input }) => input.prompt)}</p>;
}

test('shows why a form couldn’t be loaded, and the panel once it is', async () => {
  storeFields('completion', { input: { prompt: 'Once upon a time' } });
  formsDelay.until = Promise.reject(new Error('boom'));
  const screen = await render(
    <ErrorBoundary name="Completion" onRetry={async () => retryForms()}>
      <Suspense fallback="Loading">
        <Panel />
      </Suspense>
    </ErrorBoundary>,
  );
  const alert = screen.getByRole('alert');
  await expect.element(alert).toMatchTextContent(/Something went wrong/);
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect.element(alert).toMatchTextContent(/Something went wrong/);
  formsDelay.until = null;
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect.element(screen.getByText('Once upon a time')).toBeVisible();
});
