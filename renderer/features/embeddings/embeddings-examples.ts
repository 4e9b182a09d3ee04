interface EmbeddingsExample {
  title: string;
  detail: string;
  texts: readonly string[];
}

export const embeddingsExamples: readonly EmbeddingsExample[] = [
  {
    title: 'Group sentences',
    detail: 'Nine sentences about bread, boats and weather',
    texts: [
      'Feed the sourdough starter with flour and water.',
      'The sourdough bread needs flour, water and salt.',
      'Rye flour makes a dense bread.',
      'The boat sails at seven from the old harbor.',
      'Two boats wait in the harbor for wind.',
      'The harbor opens its bridge for boats at noon.',
      'Heavy rain and wind are expected tonight.',
      'The rain stops and the wind turns north.',
      'Tomorrow brings sun after the rain.',
    ],
  },
  {
    title: 'Find duplicates',
    detail: 'Six support questions, some asked twice',
    texts: [
      'I forgot my password',
      'How do I reset a forgotten password?',
      'Where is my invoice?',
      'I need the invoice for last month',
      'Change the email address of my account',
      'How can I change my account’s email address?',
    ],
  },
];
