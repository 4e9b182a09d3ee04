import { api } from '../../../lib/api.ts';
import { createSavedTexts } from '../../../lib/saved-texts.ts';
import { unsaved } from '../../../lib/unsaved-texts.ts';

/** The system messages of conversations, by conversation. */
export const systemMessages = createSavedTexts({
  unsaved: unsaved.systemMessages,
  afterMs: 500,
  save: (id, systemMessage) => api.conversations.update({ id, systemMessage }),
});
