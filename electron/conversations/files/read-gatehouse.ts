/** Reads the JSON file that Gatehouse exports. */
import { formContentSchema } from '../../../shared/form.ts';
import { isChatSetting } from '../../../shared/form-fields.ts';
import type { JsonObject } from '../../../shared/json.ts';
import {
  type ConversationFile,
  conversationFileSchema,
  describeIssue,
  FILE_FORMAT,
  FILE_VERSION,
  type FileConversation,
  importError,
} from './conversation-file.ts';

export function isGatehouseFile(file: JsonObject): boolean {
  return file.format === FILE_FORMAT;
}

/** Throws a `UserFacingError` if the version is newer or a field is invalid. */
export function readGatehouseFile(file: JsonObject): ConversationFile {
  if (typeof file.version === 'number' && file.version > FILE_VERSION) {
    const update = 'Nothing was imported. Update Gatehouse, then try again.';
    throw importError('The file was exported by a newer version of Gatehouse.', update);
  }
  const { success, data, error } = conversationFileSchema.safeParse(file);
  if (!success) throw importError(`The file isn’t valid. ${describeIssue(error.issues)}`);
  const conversations = data.conversations.map(
    (conversation): FileConversation => ({
      ...conversation,
      settings: readSettings(conversation.settings),
      messages: conversation.messages.map((message) => ({
        ...message,
        // An exported run that hadn't finished counts as ended, because the file has no later
        // state.
        run: message.run && { ...message.run, status: toEndedStatus(message.run.status) },
      })),
    }),
  );
  return { ...data, conversations };
}

type Status = NonNullable<FileConversation['messages'][number]['run']>['status'];

function toEndedStatus(status: Status): Status {
  return status === 'queued' || status === 'running' ? 'interrupted' : status;
}

/** Throws a `UserFacingError` if a setting isn't valid. */
export function readSettings(settings: JsonObject): FileConversation['settings'] {
  const known = Object.entries(settings).filter(([name]) => isChatSetting(name));
  const content = { operation: 'chat', fields: Object.fromEntries(known) };
  const { success, data, error } = formContentSchema.safeParse(content);
  if (!success) throw importError(`The file isn’t valid. ${describeIssue(error.issues)}`);
  return data.operation === 'chat' ? data.fields : {};
}
