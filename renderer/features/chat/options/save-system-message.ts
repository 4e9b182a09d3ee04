import { api } from '../../../lib/api.ts';
import { createSavedTexts } from '../../../lib/saved-texts.ts';

/** The key is the conversation ID. */
export const systemMessages = createSavedTexts({
  kind: 'system-message',
  save: (id, systemMessage) => api.conversations.update({ id, systemMessage }),
});
