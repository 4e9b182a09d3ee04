export interface RerankExample {
  title: string;
  query: string;
  documents: string[];
}

export const rerankExamples: readonly RerankExample[] = [
  {
    title: 'Answer a question',
    query: 'How do I keep a sourdough starter alive?',
    documents: [
      'The bridge opens for ships every morning at seven.',
      'Feed the starter with equal parts of flour and water, once a day at room temperature.',
      'A cast iron pan is seasoned with oil and heat.',
      'In the fridge, a sourdough starter keeps for two weeks between feedings.',
      'Rye flour revives a tired starter faster than wheat.',
    ],
  },
  {
    title: 'Find a help article',
    query: 'I forgot my password',
    documents: [
      'Change the email address of your account in Settings.',
      'Reset a forgotten password with the link on the sign-in page.',
      'Invoices are sent on the first day of each month.',
      'A password needs at least twelve characters.',
      'Two-factor sign-in asks for a code from your phone.',
    ],
  },
  {
    title: 'Search code',
    query: 'Wait before the next attempt',
    documents: [
      'function sum(values) { return values.reduce((total, value) => total + value, 0); }',
      'async function retry(attempt) { while (!(await attempt())) await pause(delayMs); }',
      'const isLeapYear = (year) => new Date(year, 1, 29).getDate() === 29;',
      'function pause(ms) { return new Promise((resolve) => setTimeout(resolve, ms)); }',
      'class Stack { push(item) { this.items.push(item); } }',
    ],
  },
];
