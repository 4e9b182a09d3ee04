/** Renders a single panel with its runs. */
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryClient } from '../../renderer/lib/query-client.ts';
import type { Form } from '../../renderer/run/form/form.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { useLiveRuns } from '../../renderer/run/live/live-runs.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { RunView } from '../../shared/run-view.ts';
import { resetForms } from './forms-fixtures.ts';
import { main, resetMain } from './panel-fake-main.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

export function resetPanels(): void {
  resetMain();
  queryClient.clear();
  resetForms();
  useLiveRuns.setState({ views: {}, problems: {}, dataAt: {} });
}

/** Stores a run and lists it. `request` is the one that its panel sent. */
export function layDown(view: RunView, request: JsonObject = {}): void {
  main.runs = [view, ...main.runs.filter(({ id }) => id !== view.id)];
  main.inputs.set(view.id, { request, extraBody: {}, wireNames: {}, follow: null });
  for (const medium of view.media) main.media.set(medium.id, medium);
  useLiveRuns.setState(({ views }) => ({ views: { ...views, [view.id]: view } }));
}

/** Stores a run and shows it in its panel. */
export function show(view: RunView, request: JsonObject = {}): void {
  layDown(view, request);
  const form: Form<OperationName> = panelForms[view.operation];
  form.change({ runId: view.id });
}

interface PanelPageProps {
  width?: number;
  height?: number;
  children: ReactNode;
}

/** Renders a panel in the size that it has in a 1360 × 860 window by default. */
export function PanelPage({ width = 1308, height = 836, children }: PanelPageProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <div style={{ display: 'flex', width, height }}>{children}</div>
    </QueryClientProvider>
  );
}
