/** What a conversation runs with: its connection, model and parameters, kept in its form. */
import { fieldName } from '../../../../shared/form-fields.ts';
import type { JsonObject } from '../../../../shared/json.ts';
import { selectLatest } from '../../../lib/connections.ts';
import { withdrawOffersAt } from '../../../lib/undo.ts';
import { moveRecording } from '../../../media/capture/recording-target.ts';
import { moveUploads } from '../../../media/uploads/use-uploads.ts';
import { variantsPlace } from '../../../run/compare/variants.ts';
import type { Form } from '../../../run/form/form.ts';
import { conversationForm } from '../../../run/form/panel-forms.ts';
import { copySettings, parametersPlace, resetSettings } from '../../../run/form/parameters.ts';
import { selectConversation, useChat } from '../chat-store.ts';
import { isEmpty, messageIn } from '../composer/composer-form.ts';

/** Where something was sent; `request` has its model. */
export interface Target {
  connectionId: string;
  request: JsonObject;
}

/** The conversation keeps what was sent last, and the next new one starts with it. */
export function keepTarget(form: Form<'chat'>, { connectionId, request }: Target): void {
  const { model } = request;
  form.change({
    connectionId,
    ...(typeof model === 'string' && { models: { [connectionId]: model } }),
  });
  selectLatest(connectionId);
}

/**
 * The first message was sent: its conversation has the settings now, and what is being recorded; the next one
 * begins with none.
 */
export function moveSettings(conversationId: string): void {
  const form = conversationForm(null);
  const next = conversationForm(conversationId);
  copySettings(form, next);
  resetSettings(form);
  moveRecording('chat', form.id, next.id);
  moveUploads(form.id, next.id);
  // With a schema that is still being written. The variants are there for the next one, too.
  const { edits, variants, comparing } = form.state.getState().values;
  next.change({ edits, variants, comparing });
  form.change({ comparing: false });
  form.change({}, { unset: Object.keys(edits).map((name) => fieldName('edits', name)) });
  // They would only change the settings of the next conversation. A draft that was replaced can still be had back.
  withdrawOffersAt([variantsPlace(form), parametersPlace(form)]);
}

/**
 * A new conversation with the last used model and the defaults, unless one is being written already. From one that compares
 * it takes over what that compares.
 */
export function startConversation(): void {
  const form = conversationForm(null);
  const { selectedId } = useChat.getState();
  if (isEmpty(messageIn(form))) {
    // A model chosen there a moment ago is not undone by pressing the button once more.
    resetSettings(form, { keepModels: selectedId === null });
    const shown = conversationForm(selectedId);
    if (shown !== form && shown.state.getState().values.comparing) copyComparison(shown, form);
  }
  selectConversation(null);
}

/** The variants, and the settings that they follow in what they have not set themselves. */
function copyComparison(from: Form<'chat'>, to: Form<'chat'>): void {
  const { variants, connectionId } = from.state.getState().values;
  const known = Object.keys(to.state.getState().values.variants);
  const gone = known.filter((id) => !Object.hasOwn(variants, id));
  copySettings(from, to);
  to.change({ variants, comparing: true }, { unset: gone.map((id) => fieldName('variants', id)) });
  if (connectionId !== null) selectLatest(connectionId);
}
