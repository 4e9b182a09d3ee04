/** Schema 14: conversations that the user did not name are called after their first message without its Markdown. */

// The words of `retitle`, repeated: a migration stays as it is. `title_from` is the current `titleFrom`, on purpose: an
// old title then reads like one that is made today.
export const plainTitlesMigration = `
  UPDATE conversations SET title = title_from(coalesce(
    (SELECT substr(text, 1, 100000) FROM shown_messages
      WHERE conversation_id = conversations.id AND role = 'user' AND trim(text) <> ''
      ORDER BY row LIMIT 1),
    ''))
  WHERE titled = 0;
`;
