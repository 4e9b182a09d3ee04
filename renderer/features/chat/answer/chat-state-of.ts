import type { ChatState } from '../../../../shared/operations/chat/state.ts';
import type { RunView } from '../../../../shared/run.ts';

/** The state of a chat run. The operation's fold made it; the page has no schema to check it with. */
export function chatStateOf(view: RunView): ChatState | null {
  return view.operation === 'chat' ? (view.state as unknown as ChatState) : null;
}
