import { api } from '../../../lib/api.ts';
import { createSavedTexts } from '../../../lib/saved-texts.ts';

export const systemMessages = createSavedTexts({
  kind: 'system-message',
  save: (id, systemMessage) => api.conversations.update({ id, systemMessage }),
});
