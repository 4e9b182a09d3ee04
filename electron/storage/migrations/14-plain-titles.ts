/** Schema 14: conversations that the user did not name are called after their first message without its Markdown. */
export const plainTitlesMigration = `
  UPDATE conversations SET title = title_from(coalesce(
    (SELECT substr(text, 1, 100000) FROM shown_messages
      WHERE conversation_id = conversations.id AND role = 'user' AND trim(text) <> ''
      ORDER BY row LIMIT 1),
    ''))
  WHERE titled = 0;
`;
