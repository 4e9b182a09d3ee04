/** Renders the whole app on the fake main process, as on its first start. */
import { page } from 'vitest/browser';
import { selectConversation } from '../../renderer/features/chat/conversation/chat-store.ts';
import { useLayout } from '../../renderer/lib/layout.ts';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import { useLiveRuns } from '../../renderer/run/live/live-runs.ts';
import { resetForms } from './forms-fixtures.ts';
import { demoModels } from './params-fixtures.tsx';
import { main, resetMain } from './shell-fake-main.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

export async function resetShell(): Promise<void> {
  await page.viewport(1360, 860);
  localStorage.clear();
  queryClient.clear();
  resetMain();
  resetForms();
  selectConversation(null);
  useLiveRuns.setState({ views: {}, problems: {}, dataAt: {} });
  useLinkState.setState('open', true);
  useLayout.setState({ inspectorOpen: false });
}

/** Resets the shell, and adds every form and the models of the demo gateway. */
export async function resetShellWithModels(): Promise<void> {
  await resetShell();
  main.models = demoModels;
}
