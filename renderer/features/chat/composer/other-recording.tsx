import { useQuery } from '@tanstack/react-query';
import { conversationOfForm } from '../../../../shared/form-fields.ts';
import { navigate } from '../../../lib/route.ts';
import { Button } from '../../../ui/button.tsx';
import { showToast } from '../../../ui/show-toast.ts';
import { selectConversation } from '../chat-store.ts';
import { conversationQuery, knownConversation } from '../conversations/conversation-query.ts';

/** In a composer, while a recording is made for another conversation: which one, and the way there. */
export function OtherRecordingNotice({ formId }: { formId: string }) {
  const id = conversationOfForm(formId);
  const { data } = useQuery(conversationQuery(id));
  return (
    <Button variant="quiet" size="small" onClick={() => openConversation(id)}>
      {`Recording for ${getName(id, data?.title)}`}
    </Button>
  );
}

/** A recording or a file, as `name` says, was attached where nobody looks now. */
export function showAttached(formId: string, name: string): void {
  const id = conversationOfForm(formId);
  const title = id === null ? undefined : knownConversation(id)?.title;
  showToast({
    message: `${name} attached to your message in ${getName(id, title)}.`,
    action: { label: 'Open', onAction: () => openConversation(id) },
  });
}

/** Of a title, in characters. */
const longest = 40;

function getName(id: string | null, title: string | undefined): string {
  if (id === null) return 'a new conversation';
  if (title === undefined) return 'another conversation';
  return `“${title.length > longest ? `${title.slice(0, longest).trimEnd()}…` : title}”`;
}

function openConversation(id: string | null): void {
  selectConversation(id);
  navigate('chat', id);
}
